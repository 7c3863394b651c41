package dev.oneengine.testing;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program for child JVMs, which have the classpath of this JVM. Not thread-safe. */
public final class ChildJvm {
    private final ProcessBuilder builder;

    private ChildJvm(List<String> command) {
        builder = new ProcessBuilder(command).redirectErrorStream(true);
        environment("CLASSPATH", System.getProperty("java.class.path"));
    }

    /** Creates a program from its main class. */
    public static ChildJvm of(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return new ChildJvm(command);
    }

    /** Adds options of the JVM. */
    public ChildJvm options(List<String> options) {
        builder.command().addAll(1, options);
        return this;
    }

    /** Prefers a quick start to fast code. */
    public ChildJvm quick() {
        return options(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    }

    /** Selects the launcher of another JDK. */
    public ChildJvm java(Path launcher) {
        builder.command().set(0, launcher.toString());
        return this;
    }

    /** Sets an environment variable; the classpath is {@code CLASSPATH}. */
    public ChildJvm environment(String name, String value) {
        builder.environment().put(name, value);
        return this;
    }

    /** Returns the command line, without the classpath. */
    public List<String> command() {
        return builder.command();
    }

    /** Starts a JVM that appends its output to a file. The caller must end the process. */
    public Process start(Path output) throws IOException {
        return builder.redirectOutput(Redirect.appendTo(output.toFile())).start();
    }

    /**
     * Runs the program in a JVM and returns its output. A status other than 0, and an interrupt by the timeout of the test, fail
     * with the output. It passes through a file, because a pipe loses its content when its process is killed.
     */
    public String run() throws IOException, InterruptedException {
        Path output = Files.createTempFile("child-jvm", ".txt");
        Process process = start(output);
        try {
            int status = process.waitFor();
            if (status != 0) {
                throw new AssertionError("Exited with status " + status + ":\n" + Files.readString(output));
            }
            return Files.readString(output);
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted after this output:\n" + Files.readString(output), e);
        } finally {
            process.destroyForcibly().waitFor();
            Files.delete(output);
        }
    }
}
