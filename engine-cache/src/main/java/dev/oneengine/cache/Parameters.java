package dev.oneengine.cache;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The part of a URL behind the question mark. Stateless and thread-safe. */
final class Parameters {
    /** Other characters belong to a password that is not percent-encoded. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]+");

    private Parameters() {}

    /** Reads {@code name=value&name=value} into a map of its own, sorted by name. */
    static SortedMap<String, String> parse(
            String url, String query, UnaryOperator<String> decode, ParameterTypes types) {
        SortedMap<String, String> parameters = new TreeMap<>();
        for (String parameter : query.split("&", -1)) {
            if (parameter.isEmpty()) {
                continue;
            }
            int equals = parameter.indexOf('=');
            if (equals < 1) {
                throw new InvalidDatabaseUrlException(
                        url, "a parameter has no name or no value; write ?name=value&name=value");
            }
            String name = decode.apply(parameter.substring(0, equals));
            if (!NAME.matcher(name).matches()) {
                throw new InvalidDatabaseUrlException(
                        url,
                        "the name of a parameter has characters that no name has; percent-encode ? as %3F and & as %26, "
                                + "also in a password");
            }
            if (parameters.put(name, decode.apply(parameter.substring(equals + 1))) != null) {
                throw new InvalidDatabaseUrlException(url, "a parameter is given twice; leave one of them");
            }
        }
        types.check(url, parameters);
        return parameters;
    }

    /** Writes parameters the way {@link #parse} reads them, with secrets masked. */
    static String printable(SortedMap<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> Percent.encode(entry.getKey())
                        + "="
                        + (Secrets.isSecret(entry.getKey()) ? Secrets.MASK : Percent.encode(entry.getValue())))
                .collect(Collectors.joining("&"));
    }
}
