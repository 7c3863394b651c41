package org.gradle.internal.compiler.java;

import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.annotation.processing.Processor;
import javax.tools.JavaCompiler.CompilationTask;

/**
 * Compiles without reporting which class came from which source, which only incremental compilation needs;
 * init.d/whole-source-sets.gradle turns that off.
 */
public class IncrementalCompileTask implements CompilationTask {
    private final CompilationTask task;

    public IncrementalCompileTask(
            CompilationTask task,
            Function<?, ?> relativize,
            Consumer<?> backup,
            Consumer<?> classNames,
            BiConsumer<?, ?> publicConstants,
            BiConsumer<?, ?> privateConstants) {
        this.task = task;
    }

    @Override
    public void addModules(Iterable<String> modules) {
        task.addModules(modules);
    }

    @Override
    public void setProcessors(Iterable<? extends Processor> processors) {
        task.setProcessors(processors);
    }

    @Override
    public void setLocale(Locale locale) {
        task.setLocale(locale);
    }

    @Override
    public Boolean call() {
        return task.call();
    }
}
