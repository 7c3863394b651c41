package dev.oneengine.conventions;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.inject.Inject;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Classpath;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.Nested;
import org.gradle.api.tasks.TaskAction;
import org.gradle.api.tasks.UntrackedTask;
import org.gradle.internal.logging.progress.ProgressLogger;
import org.gradle.internal.logging.progress.ProgressLoggerFactory;
import org.gradle.jvm.toolchain.JavaLauncher;
import org.gradle.process.ExecOperations;
import org.gradle.process.ExecResult;

/**
 * Runs the benchmarks. Their progress goes to Gradle's status line, which only a terminal shows; a line per comparison goes to the
 * output.
 */
@UntrackedTask(because = "each run measures anew")
public abstract class Benchmark extends DefaultTask {
    @Inject
    public Benchmark() {}

    @Classpath
    public abstract ConfigurableFileCollection getClasspath();

    @Input
    public abstract Property<String> getMainClass();

    @Nested
    public abstract Property<JavaLauncher> getLauncher();

    /** FULL, QUICK or LOADED. */
    @Input
    public abstract Property<String> getEffort();

    /** A text that the names of the selected comparisons contain; empty for all comparisons. */
    @Input
    public abstract Property<String> getOnly();

    /** The folder of the page that a full run rewrites. */
    @Internal
    public abstract DirectoryProperty getDocs();

    /** The folder for the results of all other runs. */
    @Internal
    public abstract DirectoryProperty getResults();

    @Inject
    protected abstract ExecOperations getProcesses();

    @Inject
    protected abstract ProgressLoggerFactory getProgress();

    @TaskAction
    public void run() {
        ProgressLogger status = getProgress().newOperation(Benchmark.class);
        status.start("Benchmarks", "starting");
        try {
            ExecResult result = getProcesses().javaexec(java -> {
                java.setExecutable(getLauncher().get().getExecutablePath());
                java.setClasspath(getClasspath());
                java.getMainClass().set(getMainClass());
                java.setArgs(List.of(
                        getEffort().get(),
                        getOnly().get(),
                        getDocs().get().getAsFile().getPath(),
                        getResults().get().getAsFile().getPath(),
                        "--status"));
                java.jvmArgs("-Dfile.encoding=UTF-8");
                java.setStandardOutput(new Lines(status));
                java.setIgnoreExitValue(true);
            });
            if (result.getExitValue() != 0) {
                throw new GradleException("A comparison failed; see its output above");
            }
        } finally {
            status.completed();
        }
    }

    /** Passes status lines to the progress and all others to the log. Confined to its thread. */
    private final class Lines extends ByteArrayOutputStream {
        /** The prefix of a status line. */
        private static final String STATUS = "status: ";

        private final ProgressLogger status;

        Lines(ProgressLogger status) {
            this.status = status;
        }

        @Override
        public void write(int b) {
            if (b != '\n') {
                super.write(b);
                return;
            }
            String line = toString(StandardCharsets.UTF_8);
            reset();
            if (line.startsWith(STATUS)) {
                status.progress(line.substring(STATUS.length()));
            } else {
                getLogger().quiet(line);
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            for (int i = offset; i < offset + length; i++) {
                write(bytes[i]);
            }
        }
    }
}
