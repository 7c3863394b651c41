package dev.oneengine.cache.url;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds passwords in URLs and hides them. Stateless and thread-safe. */
public final class UrlSecrets {
    /** Replaces a secret in everything that is shown. */
    public static final String MASK = "***";

    private static final String HIDDEN = "...";

    private static final Pattern SECRET_NAME = Pattern.compile("pass|pwd|^pw$|secret|token|credential|^(hex|text)?key$"
            + "|(scram|access|api|client|server|private|encryption).*key");

    /** A text that looks like a scheme may be a user name before a password. So it counts as a scheme only if no password can follow. */
    private static final Pattern SCHEME = Pattern.compile("(?i)jdbc:(?:[a-z][a-z0-9+._-]{0,30}:)?|"
            + "[a-z][a-z0-9+._-]{0,30}:(?=//)|(?:sqlite|postgres(?:ql)?)(?:\\+[a-z0-9_-]{0,30})?:");

    /** Signs of a user and a password: a plain or encoded @, or a text in the place of a port that is no port. */
    private static final Pattern CREDENTIALS = Pattern.compile("[@%]|//[^/:\\[]*+:(?!\\d{1,5}(?:[/,]|$))");

    /** A parameter of any database, after any separator. */
    private static final Pattern PARAMETER = Pattern.compile("([^;?&#:/=\\s]++)=([^;&#]*+)");

    private UrlSecrets() {}

    /**
     * Returns whether the value of a parameter must be hidden.
     *
     * @param parameter the name
     * @return {@code true} for a password, a key or the like
     */
    public static boolean isSecret(String parameter) {
        return SECRET_NAME.matcher(parameter.toLowerCase(Locale.ROOT)).find();
    }

    /**
     * Returns the secrets in a URL whose syntax only its driver knows: the URL itself, and the values of its secret parameters.
     *
     * @param url the URL
     * @return the URL, and its secret values if it has any
     */
    public static List<String> of(String url) {
        List<String> secrets = new ArrayList<>(List.of(url));
        Matcher parameter = PARAMETER.matcher(url);
        while (parameter.find()) {
            if (isSecret(parameter.group(1))) {
                secrets.add(parameter.group(2));
            }
        }
        return secrets;
    }

    /**
     * Returns the scheme of a URL that cannot be parsed. After the scheme, a password may stand anywhere.
     *
     * @param url the URL
     * @return the scheme and an ellipsis
     */
    public static String scheme(String url) {
        Matcher scheme = SCHEME.matcher(url);
        return (scheme.lookingAt() ? scheme.group() : "") + HIDDEN;
    }

    /**
     * Returns the harmless part of a URL whose syntax only its driver knows: no parameters, and only the scheme if a password is possible.
     *
     * @param url the URL
     * @return the text to show
     */
    public static String printable(String url) {
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
