package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A private lock and the engine it guards, for one URL. A holder lives once: its engine is being created, is open, is
 * closed; after that the cache makes another holder.
 *
 * <p>Thread-safe. The lock is held for a few instructions at a time; creating and closing run outside it, in flights that
 * other threads wait for.
 */
final class EngineHolder {
    private final Object lock = new Object();
    private final DatabaseUrl url;
    private final Flight<Optional<Engine>> creation;

    @GuardedBy("lock") private @Nullable Engine engine;

    /** The engine while it is open. Written under the lock and read without, so that a hit takes no lock. */
    private volatile @Nullable Engine open;

    /** How many engines its cache had when this one was there: those that it may need are closed after it. */
    @GuardedBy("lock") private long number = Long.MAX_VALUE;

    /** Set when the end begins. A retired holder never shows its engine again. */
    @GuardedBy("lock") private boolean retired;

    @GuardedBy("lock") private @Nullable Flight<Boolean> closing;

    /** The texts by which the engine is found without parsing. */
    @GuardedBy("lock") private final List<String> texts = new ArrayList<>();

    /** Creates a holder; the current thread is about to create its engine. */
    EngineHolder(DatabaseUrl url) {
        StackReserve.check();
        this.url = url;
        this.creation = new Flight<>("the creation of the engine for " + url);
    }

    DatabaseUrl url() {
        return url;
    }

    /** The creation. Its result is empty if the cache was closed meanwhile. */
    Flight<Optional<Engine>> creation() {
        return creation;
    }

    /** The place of the engine in the order of creation; the last one as long as there is none. */
    long number() {
        synchronized (lock) {
            return number;
        }
    }

    /**
     * Shows a new engine to everybody, unless the cache was closed meanwhile.
     *
     * @param counter the number of engines that were created so far
     * @return whether the engine is now open; if not, the creator closes it
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

    /** Returns the engine if it is open at this moment. */
    @Nullable Engine engineIfOpen() {
        return open;
    }

    /**
     * Lets the engine be found by a text from now on.
     *
     * <p>Under the lock, so that a text cannot be added after those of a retired holder were removed: it would lead to a closed
     * engine for ever.
     */
    void addText(String text, int most, TextIndex index) {
        synchronized (lock) {
            if (!retired && engine != null && texts.size() < most) {
                texts.add(text); // first: one in the index alone would stay there
                if (!index.add(text, engine)) {
                    texts.remove(texts.size() - 1);
                }
            }
        }
    }

    /** Whether this is, or was, the holder of an engine. */
    boolean isOf(Engine candidate) {
        synchronized (lock) {
            return engine == candidate;
        }
    }

    /**
     * Closes the engine, or waits while another thread does.
     *
     * @param onlyIfCreated whether a holder whose engine is still being created is left alone; if not, its creator closes
     *     the engine as soon as it is there
     * @param forget takes this holder out of the cache, once the engine is closed
     * @return whether this call closed the engine
     * @throws EngineException if the engine could not be closed; it is forgotten all the same
     */
    boolean close(boolean onlyIfCreated, TextIndex index, Runnable forget) {
        StackReserve.check();
        Flight<Boolean> mine = new Flight<>("the closing of the engine for " + url);
        if (!mine.run(() -> retire(onlyIfCreated, mine), () -> shutDown(index), forget)) {
            Flight<Boolean> other = closing();
            if (other != null && !other.isMine()) {
                other.await();
            }
            return false;
        }
        Throwable failure = mine.failure();
        if (failure != null) {
            throw new EngineException(
                    "Closing the engine for " + url + " failed: " + Failures.describe(failure), failure);
        }
        return true;
    }

    /**
     * Begins the end: from now on nobody gets the engine from here.
     *
     * @return whether there is an engine, which the flight of the current thread closes
     */
    private boolean retire(boolean onlyIfCreated, Flight<Boolean> flight) {
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

    private boolean shutDown(TextIndex index) {
        Engine open;
        synchronized (lock) {
            open = Objects.requireNonNull(engine);
            texts.forEach(index::remove);
        }
        open.shutDown();
        return true;
    }

    /** The closing that goes on or is over; {@code null} as long as the engine is open or not there yet. */
    @Nullable Flight<Boolean> closing() {
        synchronized (lock) {
            return closing;
        }
    }
}
