package dev.oneengine.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts each program in a separate JVM, all with the same flags. Stateless and thread-safe. */
final class Programs {
    static final List<String> FLAGS =
            List.of("-Xms1g", "-Xmx1g", "-XX:+UseG1GC", "-Dfile.encoding=UTF-8", "--enable-native-access=ALL-UNNAMED");

    private Programs() {}

    static Process start(Class<?> program, Path output, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(program.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** Runs a program to its end and returns its output. */
    static String run(Class<?> program, Path directory, String... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        Process process = start(program, output, arguments);
        try {
            if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException(program.getSimpleName() + " failed or hangs:" + System.lineSeparator()
                        + Files.readString(output));
            }
            return Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }
}
