package dev.oneengine.cache;

import java.util.IdentityHashMap;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Engines of one database that hold nothing, numbered from 1 on and watched: what a model checker can compare and blame.
 *
 * <p>Not thread-safe, and cheap because of that: the model checker runs one thread at a time and takes the methods of this
 * class as one step each. No cache may rely on it, as one that opens two engines at a time is wrong anyhow.
 */
final class NumberedFactory implements EngineFactory {
    private final DataSource nothing = new NoDataSource();

    /** By identity: each call for an engine by a text parses a URL of its own, and an engine keeps its creator's. */
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

    /** How many engines are closed: as there is one after the other, those up to this number. */
    int closed() {
        return created - open;
    }

    /**
     * The number of an engine that a call found.
     *
     * @param closedBefore how many engines were closed when the call began: it must not have found any of them
     */
    int number(Engine engine, int closedBefore) {
        int number = Objects.requireNonNull(numbers.get(engine.url()));
        if (number <= closedBefore) {
            violation = "an engine was given away that was closed when the call began";
        }
        handedOut = Math.max(handedOut, number);
        return number;
    }

    /** The highest number that a call has brought. */
    int handedOut() {
        return handedOut;
    }

    /**
     * Notes that a call is over after which engines must be closed, whether by that call or by another one.
     *
     * @param number the highest of them
     */
    void evicted(int number) {
        if (number > closed()) {
            violation = "evict returned before the engine was closed";
        }
    }

    /** Fails if anything happened that never must, or if the cache leaves an engine open when it is closed. */
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
