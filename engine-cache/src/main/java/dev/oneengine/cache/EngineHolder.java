package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.oneengine.cache.internal.Throwables;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A private lock and the engine that it guards, for one URL. A holder is used once: its engine is created, opened and closed. After that
 * the cache creates another holder.
 *
 * <p>Thread-safe. The lock is held for a few instructions. Creating and closing run outside the lock, each in a single flight.
 */
final class EngineHolder {
    private final Object lock = new Object();
    final DatabaseUrl url;

    /** The creation of the engine. Its result is empty if the cache was closed meanwhile. */
    final SingleFlight<Optional<Engine>> creation;

    @GuardedBy("lock") private @Nullable Engine engine;

    /** The engine while it is open. Written under the lock and read without it, so that a hit takes no lock. */
    private volatile @Nullable Engine open;

    /** The position in the order of creation. An engine is closed before earlier ones, because it may need them. */
    @GuardedBy("lock") private long number = Long.MAX_VALUE;

    /** Set when closing begins. A retired holder never returns its engine again. */
    @GuardedBy("lock") private boolean retired;

    @GuardedBy("lock") private @Nullable SingleFlight<Boolean> closing;

    /** The aliases of the engine in the index. */
    @GuardedBy("lock") private final List<String> aliases = new ArrayList<>();

    /** Creates a holder whose engine the current thread is about to create. */
    EngineHolder(DatabaseUrl url) {
        StackReserve.check();
        this.url = url;
        this.creation = new SingleFlight<>("the creation of the engine for " + url);
    }

    /** Returns the position in the order of creation; the last position while there is no engine. */
    long number() {
        synchronized (lock) {
            return number;
        }
    }

    /**
     * Publishes a new engine, unless the cache was closed meanwhile.
     *
     * @param counter the number of engines created so far
     * @return whether the engine is now open; if not, the creator must close it
     */
    boolean open(Engine created, AtomicLong counter) {
        synchronized (lock) {
            if (retired) {
                return false;
            }
            number = counter.incrementAndGet();
            engine = created;
            open = created;
            return true;
        }
    }

    /** Returns the engine if it is open. */
    @Nullable Engine engineIfOpen() {
        return open;
    }

    /**
     * Adds an alias to the index.
     *
     * <p>Holds the lock, so that no alias is added after the aliases of a retired holder are removed. Such an alias would lead to a
     * closed engine.
     */
    void addAlias(String alias, int most, AliasIndex index) {
        synchronized (lock) {
            if (!retired && engine != null && aliases.size() < most) {
                aliases.add(alias); // first, because an alias that is only in the index would never be removed
                if (!index.add(alias, engine)) {
                    aliases.remove(aliases.size() - 1);
                }
            }
        }
    }

    /** Whether this is or was the holder of an engine. */
    boolean isOf(Engine candidate) {
        synchronized (lock) {
            return engine == candidate;
        }
    }

    /**
     * Closes the engine, or waits while another thread closes it.
     *
     * @param onlyIfCreated whether to ignore an engine that is still being created; if not, its creator closes it
     * @param forget removes this holder from the cache, after the engine is closed
     * @return whether this call closed the engine
     * @throws EngineException if closing the engine fails; it is removed anyway
     */
    boolean close(boolean onlyIfCreated, AliasIndex index, Runnable forget) {
        StackReserve.check();
        SingleFlight<Boolean> mine = new SingleFlight<>("the closing of the engine for " + url);
        if (!mine.run(() -> retire(onlyIfCreated, mine), () -> shutDown(index), forget)) {
            SingleFlight<Boolean> other = closing();
            if (other != null && !other.isMine()) {
                other.await();
            }
            return false;
        }
        Throwable failure = mine.failure();
        if (failure != null) {
            throw new EngineException(
                    "Cannot close the engine for " + url + ": " + Throwables.message(failure), failure);
        }
        return true;
    }

    /**
     * Begins closing. From now on, this holder does not return its engine.
     *
     * @return whether there is an engine for the current thread to close
     */
    private boolean retire(boolean onlyIfCreated, SingleFlight<Boolean> flight) {
        synchronized (lock) {
            if (retired || (engine == null && onlyIfCreated)) {
                return false;
            }
            retired = true;
            open = null;
            if (engine != null) {
                closing = flight;
            }
            return engine != null;
        }
    }

    private boolean shutDown(AliasIndex index) {
        Engine open;
        synchronized (lock) {
            open = Objects.requireNonNull(engine);
            aliases.forEach(index::remove);
        }
        open.shutDown();
        return true;
    }

    /** Returns the single flight that closes the engine, in progress or done; {@code null} before closing begins. */
    @Nullable SingleFlight<Boolean> closing() {
        synchronized (lock) {
            return closing;
        }
    }
}
