package dev.oneengine.cache;

import java.util.IdentityHashMap;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens engines of one database, all without connections. Numbers them from 1 and checks their use, so that the model
 * checker can compare results.
 *
 * <p>Not thread-safe, which saves time: the model checker runs one thread at a time, and each method here is one step.
 * A cache that calls this from two threads at once is wrong anyway, because it opens two engines.
 */
final class NumberedFactory implements EngineFactory {
    private final DataSource nothing = new NoDataSource();

    /** Keyed by identity: each call parses a new URL object, and an engine keeps the object of its creator. */
    private final IdentityHashMap<DatabaseUrl, Integer> numbers = new IdentityHashMap<>();

    private int created;
    private int open;
    private int handedOut;
    private @Nullable String violation;

    @Override
    public EngineSource open(DatabaseUrl url, EngineSettings settings) {
        numbers.put(url, ++created);
        if (++open > 1) {
            violation = "two engines were open at a time";
        }
        return new Source();
    }

    /** The number of closed engines. Engines follow one another, so all engines up to this number are closed. */
    int closed() {
        return created - open;
    }

    /**
     * Returns the number of an engine that a call found.
     *
     * @param closedBefore the number of engines that were closed when the call began: it must return none of them
     */
    int number(Engine engine, int closedBefore) {
        int number = Objects.requireNonNull(numbers.get(engine.url()));
        if (number <= closedBefore) {
            violation = "an engine was given away that was closed when the call began";
        }
        handedOut = Math.max(handedOut, number);
        return number;
    }

    /** The highest number of an engine that a call has returned. */
    int handedOut() {
        return handedOut;
    }

    /**
     * Checks after an eviction that all engines up to a number are closed, by this call or by another one.
     *
     * @param number the highest number of an engine that must be closed
     */
    void evicted(int number) {
        if (number > closed()) {
            violation = "evict returned before the engine was closed";
        }
    }

    /** Closes the cache, and fails if it broke a rule before or leaves an engine open. */
    void check(EngineCache cache) {
        cache.close();
        if (violation == null && open != 0) {
            violation = open + " engines were open after the cache was closed";
        }
        if (violation != null) {
            throw new IllegalStateException(violation);
        }
    }

    final class Source implements EngineSource {
        private boolean closed;

        @Override
        public DataSource dataSource() {
            return nothing;
        }

        @Override
        public void close() {
            if (closed) {
                violation = "an engine was closed twice";
            }
            closed = true;
            open--;
        }
    }
}
