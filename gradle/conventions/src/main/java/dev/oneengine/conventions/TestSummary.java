package dev.oneengine.conventions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.logging.Logger;
import org.gradle.api.logging.Logging;
import org.gradle.api.services.BuildService;
import org.gradle.api.services.BuildServiceParameters;
import org.gradle.tooling.events.FinishEvent;
import org.gradle.tooling.events.OperationCompletionListener;
import org.gradle.tooling.events.task.TaskFailureResult;
import org.gradle.tooling.events.task.TaskFinishEvent;
import org.gradle.tooling.events.task.TaskSkippedResult;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/**
 * Ends a build that ran tests with one line over all modules, {@code N passed, N failed, N skipped}.
 *
 * <p>It counts the result files of all test tasks in the build. So tests from the build cache count like tests that ran, and failed test
 * tasks count like successful ones. Thread-safe: tasks finish in parallel.
 */
public abstract class TestSummary
        implements BuildService<TestSummary.Parameters>, OperationCompletionListener, AutoCloseable {
    private final ConcurrentLinkedQueue<TestTask> testTasks = new ConcurrentLinkedQueue<>();
    private volatile String lastLine = "";

    /** A test task of this build. If it failed, only the files that it wrote itself count. */
    private record TestTask(Path results, boolean failed, long started) {}

    public interface Parameters extends BuildServiceParameters {
        /** The folder of the root project. */
        DirectoryProperty getRoot();
    }

    /** Sets a line that follows the counts. */
    public void endWith(String line) {
        lastLine = line;
    }

    @Override
    public void onFinish(FinishEvent event) {
        if (event instanceof TaskFinishEvent task && !(task.getResult() instanceof TaskSkippedResult)) {
            Path results = resultsOf(task.getDescriptor().getTaskPath());
            if (Files.isDirectory(results)) {
                boolean failed = task.getResult() instanceof TaskFailureResult;
                testTasks.add(new TestTask(results, failed, task.getResult().getStartTime()));
            }
        }
    }

    /** Returns the folder of a test task's results: {@code :module:test} has {@code module/build/test-results/test}. */
    private Path resultsOf(String taskPath) {
        int lastColon = taskPath.lastIndexOf(':');
        String module = taskPath.substring(0, lastColon).replace(':', '/');
        Path root = getParameters().getRoot().get().getAsFile().toPath();
        return root.resolve("." + module).resolve("build/test-results").resolve(taskPath.substring(lastColon + 1));
    }

    @Override
    public void close() {
        if (testTasks.isEmpty()) {
            return;
        }
        long tests = 0;
        long failed = 0;
        long skipped = 0;
        for (TestTask task : testTasks) {
            long failedBefore = failed;
            for (Element suite : suites(task)) {
                tests += count(suite, "tests");
                failed += count(suite, "failures") + count(suite, "errors");
                skipped += count(suite, "skipped");
            }
            if (task.failed() && failed == failedBefore) {
                // The JVM of the tests died, so its results are missing.
                tests++;
                failed++;
            }
        }
        Logger log = Logging.getLogger(TestSummary.class);
        try {
            log.lifecycle(
                    "Reports: {}",
                    ReportIndex.write(
                            getParameters().getRoot().get().getAsFile().toPath()));
        } catch (IOException e) {
            log.warn("Cannot write the index of the reports", e);
        }
        log.quiet(String.format(
                Locale.ROOT, "%d passed, %d failed, %d skipped", tests - failed - skipped, failed, skipped));
        if (!lastLine.isEmpty()) {
            log.quiet(lastLine);
        }
    }

    private static List<Element> suites(TestTask task) {
        try (Stream<Path> files = Files.list(task.results())) {
            return files.filter(file -> file.getFileName().toString().endsWith(".xml"))
                    .filter(file -> !task.failed() || file.toFile().lastModified() >= task.started())
                    .map(TestSummary::suite)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the test results in " + task.results(), e);
        }
    }

    private static Element suite(Path file) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getDocumentElement();
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("Cannot read the test results in " + file, e);
        }
    }

    private static long count(Element suite, String attribute) {
        return Long.parseLong(suite.getAttribute(attribute));
    }
}
