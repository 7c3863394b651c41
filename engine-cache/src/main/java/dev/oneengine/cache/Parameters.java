package dev.oneengine.cache;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The part of a URL behind the question mark. Stateless and thread-safe. */
final class Parameters {
    private Parameters() {}

    /** Reads {@code name=value&name=value} into a map of its own, sorted by name. */
    static SortedMap<String, String> parse(String url, String query, UnaryOperator<String> decode) {
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
            if (parameters.put(name, decode.apply(parameter.substring(equals + 1))) != null) {
                throw new InvalidDatabaseUrlException(url, "a parameter is given twice; leave one of them");
            }
        }
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
