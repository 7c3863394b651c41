package dev.oneengine.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keeps passwords out of everything that is shown. Stateless and thread-safe. */
final class Secrets {
    static final String MASK = "***";

    private static final String HIDDEN = "...";

    private static final Pattern SECRET_NAME = Pattern.compile("pass|pwd|^pw$|secret|token|credential|^(hex|text)?key$"
            + "|(scram|access|api|client|server|private|encryption).*key");

    /** A text that looks like a scheme may be a user with a password: it is one only where no password can follow. */
    private static final Pattern SCHEME = Pattern.compile("(?i)jdbc:(?:[a-z][a-z0-9+._-]{0,30}:)?|"
            + "[a-z][a-z0-9+._-]{0,30}:(?=//)|(?:sqlite|postgres(?:ql)?)(?:\\+[a-z0-9_-]{0,30})?:");

    /** A user and a password in front of a host, also encoded; or in the place of a port, where the host was forgotten. */
    private static final Pattern CREDENTIALS = Pattern.compile("[@%]|//[^/:\\[]*+:(?!\\d{1,5}(?:[/,]|$))");

    /** A parameter of any database, behind any separator. */
    private static final Pattern PARAMETER = Pattern.compile("([^;?&#:/=\\s]++)=([^;&#]*+)");

    /** Shorter secrets would mask parts of other words. */
    private static final int SHORTEST = 4;

    /** How many causes are read; a chain may lead back to itself. */
    private static final int LONGEST_CHAIN = 20;

    private Secrets() {}

    /** Tells whether a parameter of this name holds something that must not be shown. */
    static boolean isSecret(String parameter) {
        return SECRET_NAME.matcher(parameter.toLowerCase(Locale.ROOT)).find();
    }

    /** The secrets in a URL whose syntax only its driver knows: itself, and the values of its secret parameters. */
    static List<String> of(String url) {
        List<String> secrets = new ArrayList<>(List.of(url));
        Matcher parameter = PARAMETER.matcher(url);
        while (parameter.find()) {
            if (isSecret(parameter.group(1))) {
                secrets.add(parameter.group(2));
            }
        }
        return secrets;
    }

    /** Masks secrets in a message of a driver or a pool. */
    static String mask(String text, List<String> secrets) {
        String masked = text;
        for (String secret : secrets) {
            if (secret.length() >= SHORTEST) {
                masked = masked.replace(secret, MASK);
            }
        }
        return masked;
    }

    /** Returns a failure itself or, if a message in its chain quotes a secret, a text of that chain with the secret masked. */
    static Throwable mask(Throwable failure, List<String> secrets) {
        StringBuilder chain = new StringBuilder();
        Throwable next = failure;
        for (int i = 0; next != null && i < LONGEST_CHAIN; i++) {
            chain.append(i == 0 ? "" : ", caused by ").append(describe(next));
            for (Throwable suppressed : next.getSuppressed()) {
                chain.append(", beside ").append(describe(suppressed));
            }
            next = next.getCause();
        }
        String text = chain.toString();
        String masked = mask(text, secrets);
        if (masked.equals(text)) {
            return failure;
        }
        EngineException copy = new EngineException(masked, null);
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }

    private static String describe(Throwable failure) {
        return failure.getClass().getName() + ": " + Failures.describe(failure);
    }

    /** Shows the scheme of a URL that cannot be read: behind that, a password may stand anywhere. */
    static String scheme(String url) {
        Matcher scheme = SCHEME.matcher(url);
        return (scheme.lookingAt() ? scheme.group() : "") + HIDDEN;
    }

    /** Shows a URL whose syntax only its driver knows: no parameters, and nothing but the scheme if there may be a password. */
    static String printable(String url) {
        int end = 0;
        while (end < url.length() && ";?&#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        String place = url.substring(0, end);
        if (url.indexOf('@') >= 0
                || place.indexOf('=') >= 0
                || CREDENTIALS.matcher(place).find()) {
            return scheme(url);
        }
        return end < url.length() ? place + url.charAt(end) + HIDDEN : place;
    }
}
