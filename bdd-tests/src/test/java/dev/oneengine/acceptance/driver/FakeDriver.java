package dev.oneengine.acceptance.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A driver that breaks the protocol in one way. Its argument says which. */
final class FakeDriver {
    private static final String HELLO =
            "{\"type\": \"hello\", \"protocol\": 1, \"name\": \"fake\", \"abilities\": [\"closing\"]}";

    private FakeDriver() {}

    public static void main(String... arguments) throws IOException {
        String mode = arguments[0];
        System.err.println("I am the driver of mode " + mode);
        switch (mode) {
            case "silent" -> {}
            case "other-protocol" -> System.out.println(HELLO.replace("1", "2"));
            case "unknown-ability" -> System.out.println(HELLO.replace("closing", "flying"));
            case "dead" -> System.exit(3);
            default -> System.out.println(HELLO);
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line;
        while ((line = input.readLine()) != null && !line.contains("\"bye\"")) {
            answer(mode, line);
        }
        if (mode.equals("bad-end")) {
            System.exit(4);
        }
    }

    private static void answer(String mode, String line) {
        String id = line.replaceFirst(".*\"id\": (\\d+).*", "$1");
        switch (mode) {
            case "garbage" -> System.out.println("Traceback (most recent call last):");
            case "wrong-answer" -> System.out.println("{\"type\": \"result\", \"id\": 99}");
            case "unknown-type" -> System.out.println("{\"type\": \"greeting\"}");
            case "hanging" -> System.err.println("thinking about it");
            case "dying" -> System.exit(3);
            default ->
                System.out.println("{\"type\": \"failure\", \"id\": " + id + ", \"message\": \"no \\u0065ngine\"}");
        }
    }
}
