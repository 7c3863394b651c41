package dev.oneengine.acceptance.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A driver for tests of its adapters: creates an engine at each call of "engine", and gives every other call the same
 * answer.
 */
final class ObligingDriver {
    private ObligingDriver() {}

    public static void main(String... arguments) throws IOException {
        System.out.println(
                "{\"type\": \"hello\", \"protocol\": 1, \"name\": \"obliging\", \"abilities\": [\"closing\"]}");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String creating = "";
        String line;
        while ((line = input.readLine()) != null && !line.contains("\"bye\"")) {
            String id = line.replaceFirst(".*\"id\": (\\d+).*", "$1");
            System.err.println(line);
            if (line.contains("\"do\": \"engine\"")) {
                creating = id;
                String thread = line.replaceFirst(".*\"thread\": (\"[^\"]*\").*", "$1");
                System.out.println(
                        "{\"type\": \"creating\", \"creation\": 7, \"url\": \"a\", \"thread\": " + thread + "}");
            } else if (line.contains("\"look\"")) {
                System.out.println("{\"type\": \"waiting\", \"id\": " + id + ", \"threads\": {\"worker\": \"here\"}}");
            } else if (line.contains("\"go\"")) {
                result(creating);
            } else if (line.contains("\"fail\"") || line.contains("\"failure\"")) {
                String failed = line.contains("\"fail\"") ? creating : id;
                System.out.println("{\"type\": \"failure\", \"id\": " + failed + ", \"message\": \"as requested\"}");
            } else {
                result(id);
            }
        }
    }

    private static void result(String id) {
        System.out.println("{\"type\": \"result\", \"id\": " + id + ", \"engine\": \"e\", \"connection\": \"c\","
                + " \"rows\": [\"1\"], \"closed\": true, \"engines\": [\"f\", \"g\"]}");
    }
}
