package dev.oneengine.conventions;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.inject.Inject;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.CacheableTask;
import org.gradle.api.tasks.Classpath;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Nested;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.TaskAction;
import org.gradle.jvm.toolchain.JavaLauncher;
import org.gradle.process.ExecOperations;
import org.gradle.process.ExecResult;

/** Runs the jcstress tests of a class path, shows their output if one fails, and keeps the report. */
@CacheableTask
public abstract class Jcstress extends DefaultTask {
    @Inject
    public Jcstress() {}

    @Classpath
    public abstract ConfigurableFileCollection getClasspath();

    /** The duration and the number of runs, as options of jcstress. */
    @Input
    public abstract ListProperty<String> getArguments();

    @Nested
    public abstract Property<JavaLauncher> getLauncher();

    @OutputDirectory
    public abstract DirectoryProperty getReport();

    @Inject
    protected abstract ExecOperations getProcesses();

    @TaskAction
    public void run() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ExecResult result = getProcesses().javaexec(java -> {
            java.setExecutable(getLauncher().get().getExecutablePath());
            java.setClasspath(getClasspath());
            java.getMainClass().set("org.openjdk.jcstress.Main");
            java.setArgs(getArguments().get());
            java.args(List.of("-r", getReport().get().getAsFile().getPath()));
            // The folder of jcstress's raw results.
            java.setWorkingDir(getTemporaryDir());
            java.setStandardOutput(bytes);
            java.setErrorOutput(bytes);
            java.setIgnoreExitValue(true);
        });
        String output = bytes.toString(StandardCharsets.UTF_8);
        // jcstress reports success even if it has found no test at all.
        if (result.getExitValue() != 0 || output.contains("No matching tests")) {
            getLogger().error(output);
            throw new GradleException("jcstress failed; see its output above");
        }
        getLogger().info(output);
    }
}
