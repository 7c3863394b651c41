package dev.oneengine.acceptance.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** A driver that behaves unusually or breaks the protocol. Its argument selects the behaviour. */
final class FakeDriver {
    private static final String HELLO =
            "{\"type\": \"hello\", \"protocol\": 1, \"name\": \"fake\", \"abilities\": [\"closing\"]}";

    private FakeDriver() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        String mode = arguments[0];
        System.err.println("I am the driver of mode " + mode);
        switch (mode) {
            case "silent" -> {}
            case "other-protocol" -> System.out.println(HELLO.replace("1", "2"));
            case "unknown-ability" -> System.out.println(HELLO.replace("closing", "flying"));
            case "no-abilities" -> System.out.println(HELLO.replace("\"closing\"", ""));
            case "dead" -> System.exit(3);
            case "verbose-other-protocol" -> {
                for (int i = 1; i <= 60; i++) {
                    System.err.println("x".repeat(1_000) + " error " + i);
                }
                System.err.println("the last error");
                System.out.println(HELLO.replace("1", "2"));
            }
            case "verbose" -> {
                for (int i = 1; i <= 50; i++) {
                    System.err.println("error " + i);
                }
                System.out.println(HELLO);
            }
            default -> System.out.println(HELLO);
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line;
        while ((line = input.readLine()) != null && !line.contains("\"bye\"")) {
            answer(mode, line);
        }
        switch (mode) {
            case "bad-end", "busy" -> System.exit(4);
            case "endless" -> new CountDownLatch(1).await();
            case "talking-at-the-end" -> System.out.println("{\"type\": \"greeting\"}");
            default -> {}
        }
    }

    private static void answer(String mode, String line) {
        String id = line.replaceFirst(".*\"(?:id|creation)\": (\\d+).*", "$1");
        switch (mode) {
            case "garbage" -> System.out.println("Traceback (most recent call last):");
            case "long-garbage" -> System.out.println("x".repeat(301));
            case "too-long" -> System.out.println("x".repeat(1_000_001));
            case "wrong-answer" -> System.out.println("{\"type\": \"result\", \"id\": 99}");
            case "unknown-type" -> System.out.println("{\"type\": \"greeting\"}");
            case "hanging", "busy" -> System.err.println("thinking about it");
            case "dying" -> System.exit(3);
            case "closing-output" -> System.out.close();
            case "last-words" -> {
                System.out.print(failure(id, "no line end"));
                System.out.close();
            }
            case "naming" -> System.out.println(failure(id, thread(line)));
            case "creating" -> create(line, id, thread(line));
            case "creating-for-a-stranger" -> create(line, id, "nobody");
            default -> System.out.println(failure(id, "no \\u0065ngine"));
        }
    }

    /** Creates an engine for each call; the creation has the number of its call. */
    private static void create(String line, String id, String thread) {
        if (line.contains("\"call\"")) {
            System.out.println("{\"type\": \"creating\", \"creation\": " + id + ", \"url\": \"a\", \"thread\": \""
                    + thread + "\"}");
        } else if (line.contains("\"look\"")) {
            System.out.println(
                    "{\"type\": \"waiting\", \"id\": " + id + ", \"threads\": {\"waiter\": \"place " + id + "\"}}");
        } else if (line.contains("\"go\"")) {
            System.out.println("{\"type\": \"result\", \"id\": " + id + "}");
        } else {
            System.out.println(failure(id, field("message", line)));
        }
    }

    private static String failure(String id, String message) {
        return "{\"type\": \"failure\", \"id\": " + id + ", \"message\": \"" + message + "\"}";
    }

    private static String thread(String line) {
        return field("thread", line);
    }

    private static String field(String name, String line) {
        return line.replaceFirst(".*\"" + name + "\": \"([^\"]*)\".*", "$1");
    }
}
