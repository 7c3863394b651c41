package dev.oneengine.cache;

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

    private Secrets() {}

    /** Tells whether a parameter of this name holds something that must not be shown. */
    static boolean isSecret(String parameter) {
        return SECRET_NAME.matcher(parameter.toLowerCase(Locale.ROOT)).find();
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
