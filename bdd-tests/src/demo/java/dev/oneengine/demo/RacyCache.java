package dev.oneengine.demo;

import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The cache of the bug reports #7566 and #3950, line by line: check, create, write, read, without a lock. Each engine has a
 * separate in-memory database, like the two engines in the reports.
 *
 * <p>Not thread-safe: that is the bug.
 */
final class RacyCache implements AutoCloseable {
    private final Map<String, RacyEngine> engines = new HashMap<>();

    /** The number of the last engine; atomic, because counting is not part of the bug. */
    private final AtomicInteger numbers = new AtomicInteger();

    /** All engines, including those that the map has lost, for {@link #close}. */
    private final List<RacyEngine> created = Collections.synchronizedList(new ArrayList<>());

    /** An engine: its number in the order of creation, and its connections. */
    record RacyEngine(int number, HikariDataSource dataSource) {}

    /** Callbacks between the steps, in the thread that runs them. */
    interface Steps {
        void checked(boolean absent) throws Exception;

        void creating(int number) throws Exception;

        void created(RacyEngine engine) throws Exception;

        void written(RacyEngine engine, @Nullable RacyEngine replaced) throws Exception;

        void read(RacyEngine engine) throws Exception;
    }

    RacyEngine engine(String url, Steps steps) throws Exception {
        boolean absent = !engines.containsKey(url);
        steps.checked(absent);
        if (absent) {
            int number = numbers.incrementAndGet();
            steps.creating(number);
            RacyEngine engine = create(number);
            steps.created(engine);
            RacyEngine replaced = engines.put(url, engine);
            steps.written(engine, replaced);
        }
        RacyEngine engine = Objects.requireNonNull(engines.get(url));
        steps.read(engine);
        return engine;
    }

    private RacyEngine create(int number) {
        RacyEngine engine = new RacyEngine(number, MemoryPool.open(MemoryPool.memdb(), 2, "DEFERRED"));
        created.add(engine);
        return engine;
    }

    int created() {
        return created.size();
    }

    @Override
    public void close() {
        created.forEach(engine -> engine.dataSource().close());
    }
}
