package dev.oneengine.migration.junit;

import dev.oneengine.cache.Engine;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor.Invocation;

/**
 * A test with a migrated database, from the creation of its instance to its end. JUnit enters and closes it in the thread of the
 * test. Thread-safe.
 */
final class RunningTest implements AutoCloseable {
    private static final ThreadLocal<@Nullable RunningTest> OF_THREAD = new ThreadLocal<>();

    /** The tests that run now, in all threads. */
    private static final Set<RunningTest> ALL = ConcurrentHashMap.newKeySet();

    private final String name;

    /** Whether other tests may run at the same time. */
    private final boolean parallel;

    /** The test around this one: a thread that waits in a ForkJoinPool may run another test meanwhile. */
    private final @Nullable RunningTest outer = OF_THREAD.get();

    /** A test may register several extensions. */
    private final Map<MigratedDatabaseExtension, Supplier<Engine>> forks = new ConcurrentHashMap<>();

    private RunningTest(String name, boolean parallel) {
        this.name = name;
        this.parallel = parallel;
    }

    /** Begins a test in the current thread. */
    static RunningTest enter(ExtensionContext context) {
        boolean parallel = context.getConfigurationParameter("junit.jupiter.execution.parallel.enabled")
                .map(Boolean::parseBoolean)
                .orElse(false);
        RunningTest test = new RunningTest(context.getUniqueId(), parallel);
        OF_THREAD.set(test);
        ALL.add(test);
        return test;
    }

    /** Runs a part of the test, perhaps in another thread than the one that has entered the test. */
    <T extends @Nullable Object> T call(Invocation<T> part) throws Throwable {
        RunningTest before = OF_THREAD.get();
        OF_THREAD.set(this);
        try {
            return part.proceed();
        } finally {
            restore(before);
        }
    }

    private static void restore(@Nullable RunningTest before) {
        if (before == null) {
            OF_THREAD.remove();
        } else {
            OF_THREAD.set(before);
        }
    }

    void add(MigratedDatabaseExtension extension, Supplier<Engine> fork) {
        forks.put(extension, fork);
    }

    /**
     * Returns the test of the current thread, or the only running test.
     *
     * @throws SQLException if there is none, or several may run
     */
    static RunningTest current() throws SQLException {
        RunningTest own = OF_THREAD.get();
        if (own != null) {
            return own;
        }
        List<RunningTest> running = List.copyOf(ALL);
        if (running.isEmpty()) {
            throw new SQLException("CurrentFork has no database for " + thread()
                    + ": no test with a migrated database is running; annotate the test class with @MigratedDatabase,"
                    + " and use the database only from the creation of the test instance to the end of the test");
        }
        RunningTest only = running.get(0);
        if (running.size() > 1 || only.parallel) {
            throw new SQLException("CurrentFork has no database for " + thread()
                    + ": tests run in parallel, and this thread runs none of them; use the database in the thread of"
                    + " the test, or run these tests one after the other");
        }
        return only;
    }

    private static String thread() {
        return "thread " + Thread.currentThread().getName();
    }

    DataSource dataSource() throws SQLException {
        if (forks.size() > 1) {
            throw new SQLException("CurrentFork cannot choose a database for " + name + ": its class has "
                    + forks.size() + " extensions with a migrated database; take them as parameters instead");
        }
        try {
            return forks.values().iterator().next().get().dataSource();
        } catch (RuntimeException e) {
            throw new SQLException("CurrentFork has no database for " + name + ": " + e.getMessage(), e);
        }
    }

    /** Ends the test. JUnit calls this after it has closed the databases. */
    @Override
    public void close() {
        ALL.remove(this);
        restore(outer);
    }
}
