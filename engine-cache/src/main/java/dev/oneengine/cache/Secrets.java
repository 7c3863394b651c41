package dev.oneengine.cache;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keeps passwords out of everything that is shown. Stateless and thread-safe. */
final class Secrets {
    static final String MASK = "***";

    private static final int LONGEST_SHOWN = 200;

    private static final Pattern SECRET_NAME = Pattern.compile("pass|pwd|secret|token|credential|^(hex)?key$");

    /**
     * From the colon behind the user to the last {@code @}, wherever that is: this also reads URLs that are wrong, and a
     * password that was not percent-encoded may hold any character.
     */
    private static final Pattern USER_INFO =
            Pattern.compile("^((?i:jdbc:)?+[^:/?]++:/{0,2}+[^:@]*+):.*@", Pattern.DOTALL);

    /** What stands where a port should and is no number is a password whose {@code @host} was forgotten. */
    private static final Pattern NOT_A_PORT =
            Pattern.compile("(//[^:/@?\\[]+):(?!\\d*(?:[/?,]|$)|\\*).*", Pattern.DOTALL);

    /** A parameter's value ends where the next parameter starts, not at any {@code &}: it may hold one. */
    private static final Pattern PARAMETER =
            Pattern.compile("([?&;])([^=&;?]*)=(.*?)(?=[&;][^=&;]*=|$)", Pattern.DOTALL);

    private Secrets() {}

    /** Tells whether a parameter of this name holds something that must not be shown. */
    static boolean isSecret(String parameter) {
        return SECRET_NAME.matcher(parameter.toLowerCase(Locale.ROOT)).find();
    }

    /** Makes a URL that may be wrong in any way fit for a log line: secrets masked, control characters escaped, short. */
    static String printable(String url) {
        String masked = USER_INFO.matcher(url).replaceFirst("$1:" + MASK + "@");
        masked = maskParameters(NOT_A_PORT.matcher(masked).replaceFirst("$1:" + MASK));
        String shown = masked.substring(0, Math.min(masked.length(), LONGEST_SHOWN));
        return escapeControls(shown) + (masked.length() > LONGEST_SHOWN ? "..." : "");
    }

    private static String maskParameters(String url) {
        return PARAMETER
                .matcher(url)
                .replaceAll(parameter -> Matcher.quoteReplacement(
                        isSecret(Percent.decodeLeniently(parameter.group(2)))
                                ? parameter.group(1) + parameter.group(2) + "=" + MASK
                                : parameter.group()));
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
