package dev.oneengine.cache.url;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The part of a URL after the question mark. Stateless and thread-safe. */
public final class UrlParameters {
    /** Any other character probably belongs to a password that is not percent-encoded. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]+");

    private UrlParameters() {}

    /** Decodes a name or a value. */
    @FunctionalInterface
    interface Decoder {
        String decode(String text) throws UrlSyntaxException;
    }

    /** Parses {@code name=value&name=value} into a new map, sorted by name. */
    static SortedMap<String, String> parse(String query, Decoder decoder, PermittedValues permitted)
            throws UrlSyntaxException {
        SortedMap<String, String> parameters = new TreeMap<>();
        for (String parameter : query.split("&", -1)) {
            if (parameter.isEmpty()) {
                continue;
            }
            int equals = parameter.indexOf('=');
            if (equals < 1) {
                throw new UrlSyntaxException("a parameter has no name or no value; write ?name=value&name=value");
            }
            String name = decoder.decode(parameter.substring(0, equals));
            if (!NAME.matcher(name).matches()) {
                throw new UrlSyntaxException(
                        "the name of a parameter contains an invalid character; percent-encode ? as %3F and & as %26, "
                                + "also in a password");
            }
            if (parameters.put(name, decoder.decode(parameter.substring(equals + 1))) != null) {
                throw new UrlSyntaxException("a parameter is given twice; remove one of them");
            }
        }
        permitted.check(parameters);
        return parameters;
    }

    /**
     * Returns parameters in the form that {@link #parse} reads, with secrets masked.
     *
     * @param parameters the values by name
     * @return the text after the question mark
     */
    public static String printable(SortedMap<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> PercentEncoding.encode(entry.getKey())
                        + "="
                        + (UrlSecrets.isSecret(entry.getKey())
                                ? UrlSecrets.MASK
                                : PercentEncoding.encode(entry.getValue())))
                .collect(Collectors.joining("&"));
    }
}
