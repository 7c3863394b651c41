package dev.oneengine.cache;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keeps passwords out of everything that is shown. Stateless and thread-safe. */
final class Secrets {
    static final String MASK = "***";

    private static final int LONGEST_SHOWN = 200;

    private static final Pattern SECRET_NAME =
            Pattern.compile("pass|pwd|secret|token|credential|^(hex|text)?key$|(scram|access|api|client|server).*key");

    /** The scheme, with whatever stands between it and the user. */
    private static final String SCHEME = "(?i:jdbc:)?+[^:/?]++:/{0,2}+";

    /**
     * Where passwords stand in URLs that are wrong in any way, and what may be shown of the text that is matched. A password
     * that was not percent-encoded may hold any character, so each reaches as far as it can.
     */
    private static final Map<Pattern, String> PASSWORDS = new LinkedHashMap<>();

    static {
        // From the colon behind the user to the last @; the user may hold an @ as well.
        password("^(" + SCHEME + "[^:]*+):.*@", "$1:" + MASK + "@");
        // A user whose name holds what ends a name: it may be the password that does.
        password("^(" + SCHEME + ")(?<=//)[^@?]*[/?].*@", "$1" + MASK + "@");
        // No scheme at all, or one that is not followed by //.
        password("^((?i:jdbc:)?+(?!(?i:sqlite:))[^:/?]++):(?!//).*@", "$1:" + MASK + "@");
        // What stands where a port should and is none: a password whose @host was forgotten.
        password("(//[^:/?\\[]+):(?!\\d{0,5}(?:[/?,]|$)|\\*).*", "$1:" + MASK);
    }

    private static final Pattern PARAMETER = Pattern.compile("(?:^|[?&;\\s])([^=&;?\\s]*)=");

    private Secrets() {}

    /** Tells whether a parameter of this name holds something that must not be shown. */
    static boolean isSecret(String parameter) {
        return SECRET_NAME.matcher(parameter.toLowerCase(Locale.ROOT)).find();
    }

    /** Makes a URL that may be wrong in any way fit for a log line: secrets masked, control characters escaped, short. */
    static String printable(String url) {
        String masked = url;
        for (Map.Entry<Pattern, String> password : PASSWORDS.entrySet()) {
            masked = password.getKey().matcher(masked).replaceFirst(password.getValue());
        }
        masked = cutAtSecretParameter(masked);
        String shown = masked.substring(0, Math.min(masked.length(), LONGEST_SHOWN));
        return escapeControls(shown) + (masked.length() > LONGEST_SHOWN ? "..." : "");
    }

    private static void password(String pattern, String shown) {
        PASSWORDS.put(Pattern.compile(pattern, Pattern.DOTALL), shown);
    }

    /** The value of a secret parameter may hold what separates parameters, so nothing behind it is sure to be shown. */
    private static String cutAtSecretParameter(String url) {
        Matcher parameter = PARAMETER.matcher(url);
        // The next name may begin where this one ended, with the separator: look at that again.
        for (int from = 0; parameter.find(from); from = parameter.end()) {
            if (isSecret(Percent.decodeLeniently(parameter.group(1)))) {
                return url.substring(0, parameter.end()) + MASK;
            }
        }
        return url;
    }

    private static String escapeControls(String text) {
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(c -> {
            if (Character.isISOControl(c)) {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                escaped.append((char) c);
            }
        });
        return escaped.toString();
    }
}
