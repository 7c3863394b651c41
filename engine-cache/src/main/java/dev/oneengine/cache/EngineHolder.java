package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    private final Flight<Engine> creation;

    @GuardedBy("lock") private @Nullable Engine engine;

    /** Set when the end begins. A retired holder never shows its engine again. */
    @GuardedBy("lock") private boolean retired;

    @GuardedBy("lock") private @Nullable Flight<Boolean> closing;

    /** The texts by which the engine is found without parsing. */
    @GuardedBy("lock") private final List<String> texts = new ArrayList<>();

    /** Makes a holder whose engine the current thread is about to create. */
    EngineHolder(DatabaseUrl url) {
        creation = new Flight<>("the creation of the engine for " + url);
    }

    Flight<Engine> creation() {
        return creation;
    }

    /**
     * Shows a new engine to everybody, unless the cache was closed meanwhile.
     *
     * @return whether the engine is now open; if not, the creator closes it
     */
    boolean open(Engine created) {
        synchronized (lock) {
            if (retired) {
                return false;
            }
            engine = created;
            return true;
        }
    }

    /** The engine if it is open at this moment. */
    @Nullable Engine engineIfOpen() {
        synchronized (lock) {
            return retired ? null : engine;
        }
    }

    /**
     * Lets the engine be found by a text from now on.
     *
     * <p>Under the lock, so that a text cannot be added behind the back of {@link #retire}: it would lead to a closed
     * engine for ever.
     */
    void addText(String text, int most, TextIndex index) {
        synchronized (lock) {
            if (!retired && engine != null && texts.size() < most && index.add(text, engine)) {
                texts.add(text);
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
     */
    boolean close(boolean onlyIfCreated, TextIndex index, Runnable forget) {
        Engine open = retire(onlyIfCreated, index);
        Flight<Boolean> flight = closing();
        if (open == null) {
            if (flight != null && !flight.isMine()) {
                flight.await();
            }
            return false;
        }
        try {
            open.shutDown();
        } finally {
            forget.run();
            Objects.requireNonNull(flight).succeed(true);
        }
        return true;
    }

    /** Begins the end: from now on nobody gets the engine from here, and the current thread closes what this returns. */
    private @Nullable Engine retire(boolean onlyIfCreated, TextIndex index) {
        synchronized (lock) {
            if (retired || (engine == null && onlyIfCreated)) {
                return null;
            }
            retired = true;
            texts.forEach(index::remove);
            if (engine != null) {
                closing = new Flight<>("the closing of the engine for " + engine.url());
            }
            return engine;
        }
    }

    /** The closing that goes on or is over; {@code null} as long as the engine is open or not there yet. */
    @Nullable Flight<Boolean> closing() {
        synchronized (lock) {
            return closing;
        }
    }
}
