package dev.oneengine.benchmark;

import dev.oneengine.benchmark.Comparison.Pace;
import dev.oneengine.testing.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Runs the comparisons, each in a separate JVM, and writes the page: {@code ./gradlew benchmark}. A quick run and a run
 * of some comparisons write it elsewhere. Confined to its thread.
 */
public final class Benchmark {
    /** The page in the folder of the documents. */
    static final String PAGE = "performance.md";

    /** The file of the results, in the folder of the page. */
    static final String RESULTS = "performance.csv";

    /** The flags of all JVMs. */
    static final List<String> FLAGS =
            List.of("-Xms1g", "-Xmx1g", "-XX:+UseG1GC", "-Dfile.encoding=UTF-8", "--enable-native-access=ALL-UNNAMED");

    private final Effort effort;
    private final List<Comparison> comparisons;
    private final Status status;
    private final PrintStream out;
    private final Results results = new Results();

    private Benchmark(Effort effort, List<Comparison> comparisons, PrintStream out) {
        this.effort = effort;
        this.comparisons = comparisons;
        this.status = new Status(comparisons, effort, out);
        this.out = out;
    }

    /**
     * Runs the comparisons.
     *
     * @param arguments the effort, a part of the names of the comparisons, the folder of the documents, and the folder for all other
     *     results
     */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        boolean done =
                run(Effort.valueOf(arguments[0]), arguments[1], Path.of(arguments[2]), Path.of(arguments[3]), out);
        if (!done) {
            System.exit(1);
        }
    }

    /** Returns whether all comparisons succeeded. */
    static boolean run(Effort effort, String only, Path docs, Path other, PrintStream out)
            throws IOException, InterruptedException {
        List<Comparison> chosen = Comparisons.all().stream()
                .filter(comparison -> comparison.id().contains(only))
                .toList();
        if (chosen.isEmpty()) {
            out.println("No comparison has \"" + only + "\" in its name. There are:");
            Comparisons.all().forEach(comparison -> out.println("  " + comparison.id()));
            return false;
        }
        Benchmark benchmark = new Benchmark(effort, chosen, out);
        boolean done = benchmark.runAll();
        out.println();
        new Summary(benchmark.results).lines(chosen).forEach(out::println);
        boolean forPage = done && effort == Effort.FULL && only.isEmpty();
        Path folder = forPage ? docs : other;
        if (!forPage) {
            Files.createDirectories(other);
            Files.copy(docs.resolve(PAGE), other.resolve(PAGE), StandardCopyOption.REPLACE_EXISTING);
        }
        benchmark.results.write(folder.resolve(RESULTS));
        new Page(benchmark.results).write(folder);
        out.println();
        out.println("Written: " + folder.resolve(PAGE));
        return done;
    }

    private boolean runAll() throws IOException, InterruptedException {
        describe();
        boolean done = true;
        for (Comparison comparison : comparisons) {
            long begin = System.nanoTime();
            status.begin(comparison);
            Optional<Results> child = run(comparison);
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
            status.done(comparison);
            if (child.isPresent()) {
                results.addAll(child.get());
                String line = new Summary(child.get()).line(comparison);
                out.println(String.format(Locale.ROOT, "%s  (%d s)", line, seconds));
            } else {
                done = false;
            }
        }
        return done;
    }

    /** Empty if the comparison failed. */
    private Optional<Results> run(Comparison comparison) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("benchmark");
        Path output = directory.resolve("output.txt");
        Path file = directory.resolve(RESULTS);
        Process child = ChildJvm.of(Child.class, comparison.id(), effort.name(), file.toString())
                .options(FLAGS)
                .start(output);
        try {
            boolean ended = child.waitFor(300 + 3L * comparison.seconds(), TimeUnit.SECONDS);
            if (!ended || child.exitValue() != 0) {
                out.println("FAILED: " + comparison.title() + (ended ? "" : " hangs"));
                out.println(Files.readString(output));
                return Optional.empty();
            }
            return Optional.of(Results.read(file));
        } finally {
            child.descendants().forEach(ProcessHandle::destroyForcibly);
            child.destroyForcibly().waitFor();
            Child.delete(directory);
        }
    }

    private void describe() throws IOException {
        results.describe("date", LocalDate.now(ZoneOffset.UTC).toString());
        results.describe("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
        results.describe("processor", processor());
        results.describe("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        results.describe("java", System.getProperty("java.runtime.version"));
        results.describe("clock", effort.clock(Pace.SHORT).name());
        results.describe("flags", String.join(" ", FLAGS));
        results.describe("SQLite", SQLiteJDBCLoader.getVersion());
        for (Pace pace : Pace.values()) {
            results.describe(pace.name(), effort.rounds(pace) + " rounds of " + effort.length(pace));
        }
    }

    /** The name of the processor, as Linux reports it. */
    private static String processor() throws IOException {
        Path file = Path.of("/proc/cpuinfo");
        if (!Files.exists(file)) {
            return "an unknown processor";
        }
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("an unknown processor");
        }
    }
}
