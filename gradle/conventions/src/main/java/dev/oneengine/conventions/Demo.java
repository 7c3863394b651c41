package dev.oneengine.conventions;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.inject.Inject;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.logging.LogLevel;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Classpath;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.Nested;
import org.gradle.api.tasks.TaskAction;
import org.gradle.api.tasks.UntrackedTask;
import org.gradle.internal.logging.text.StyledTextOutput;
import org.gradle.internal.logging.text.StyledTextOutput.Style;
import org.gradle.internal.logging.text.StyledTextOutputFactory;
import org.gradle.jvm.toolchain.JavaLauncher;
import org.gradle.process.ExecOperations;
import org.gradle.process.ExecResult;

/**
 * Runs a program that shows something and writes a page of it.
 *
 * <p>Only the client of Gradle knows whether its output is a terminal, and it does not tell. So the program always uses
 * colours, unless NO_COLOR forbids it, and they are handed on as Gradle's own styles, which end in colours on a terminal and
 * nowhere else.
 */
@UntrackedTask(because = "whoever asks for it wants to see it")
public abstract class Demo extends DefaultTask {
    @Inject
    public Demo() {}

    @Classpath
    public abstract ConfigurableFileCollection getClasspath();

    @Input
    public abstract Property<String> getMainClass();

    @Nested
    public abstract Property<JavaLauncher> getLauncher();

    /** Where the program writes its page. */
    @Internal
    public abstract RegularFileProperty getPage();

    @Inject
    protected abstract ExecOperations getProcesses();

    @Inject
    protected abstract StyledTextOutputFactory getTextOutputs();

    @TaskAction
    public void run() {
        ExecResult result = getProcesses().javaexec(java -> {
            java.setExecutable(getLauncher().get().getExecutablePath());
            java.setClasspath(getClasspath());
            java.getMainClass().set(getMainClass());
            java.setArgs(List.of(getPage().get().getAsFile().getPath(), "--colour"));
            java.jvmArgs("-Dfile.encoding=UTF-8");
            java.setStandardOutput(new Lines(getTextOutputs().create(Demo.class, LogLevel.QUIET)));
            java.setIgnoreExitValue(true);
        });
        if (result.getExitValue() != 0) {
            throw new GradleException("The demo did not show what it should; the lines marked FAIL above say what");
        }
    }

    /** Text with the colours of terminals, shown line by line in Gradle's styles. For one thread at a time. */
    private static final class Lines extends ByteArrayOutputStream {
        private static final Pattern COLOUR = Pattern.compile("\u001b\\[(\\d+)m");

        private final StyledTextOutput output;

        Lines(StyledTextOutput output) {
            this.output = output;
        }

        @Override
        public void write(int b) {
            super.write(b);
            if (b == '\n') {
                show();
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            for (int i = offset; i < offset + length; i++) {
                write(bytes[i]);
            }
        }

        @Override
        public void close() {
            show();
        }

        private void show() {
            String text = toString(StandardCharsets.UTF_8);
            reset();
            Matcher colour = COLOUR.matcher(text);
            int shown = 0;
            while (colour.find()) {
                output.text(text.substring(shown, colour.start())).style(style(colour.group(1)));
                shown = colour.end();
            }
            output.text(text.substring(shown));
        }

        private static Style style(String code) {
            return switch (code) {
                case "1" -> Style.Header;
                case "31" -> Style.Failure;
                case "32" -> Style.Success;
                case "33" -> Style.Info;
                default -> Style.Normal;
            };
        }
    }
}
