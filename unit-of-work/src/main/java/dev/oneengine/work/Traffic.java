package dev.oneengine.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Lets the units of work on one engine in.
 *
 * <p>SQLite has one writer at a time, and those that wait for it sleep and try again: some of them for long. So they wait here
 * first. In memory a reader, too, waits for a writer and the other way round. Thread-safe.
 */
final class Traffic {
    /** Long enough to make up for waking a thread, and still nothing to a person. */
    private static final Duration SLICE = Duration.ofMillis(1);

    /** What a unit needs to come in. */
    enum Turn {
        /** Nothing: it waits for nobody. */
        NONE,
        READER,
        WRITER
    }

    private static final Map<Engine, Traffic> OF_ENGINES = Collections.synchronizedMap(new WeakHashMap<>());

    private final DatabaseUrl url;
    private final int poolSize;

    private final Turns turns;

    private final Object lock = new Object();

    /** The connections whose threads wait for another one. */
    @GuardedBy("lock") private int heldByWaiting;

    private Traffic(Engine engine) {
        url = engine.url();
        poolSize = engine.settings().poolSize();
        turns = new Turns(SLICE, poolSize);
    }

    static Traffic of(Engine engine) {
        return OF_ENGINES.computeIfAbsent(engine, Traffic::new);
    }

    boolean isSqlite() {
        return url.kind() != Kind.POSTGRESQL;
    }

    /** What a unit waits for: a reader of a file and any unit on a server for nobody. */
    Turn turnFor(boolean readOnly) {
        return switch (url.kind()) {
            case SQLITE_MEMORY -> readOnly ? Turn.READER : Turn.WRITER;
            case SQLITE_FILE -> readOnly ? Turn.NONE : Turn.WRITER;
            case POSTGRESQL -> Turn.NONE;
        };
    }

    /**
     * Waits for the turn of a unit.
     *
     * @param patience how long to wait at most
     */
    void enter(Turn turn, Duration patience) {
        if (turn == Turn.NONE) {
            return;
        }
        try {
            if (!turns.enter(turn == Turn.WRITER, patience)) {
                throw new TransactionException(
                        "A unit of work on " + url + " has waited " + patience + " for its turn; " + whoIsIn()
                                + ": make units shorter, raise the patience, and let no unit wait for what another thread does",
                        null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransactionException("Interrupted while a unit of work on " + url + " waited for its turn", e);
        }
    }

    private String whoIsIn() {
        Thread writer = turns.writer();
        return writer == null ? "others are in" : "the one in thread " + writer.getName() + " is writing";
    }

    void leave(Turn turn) {
        if (turn != Turn.NONE) {
            turns.leave(turn == Turn.WRITER);
        }
    }

    /**
     * Notes that a thread waits for another connection while it holds some.
     *
     * @throws TransactionException if then all connections of the pool would be held by threads that wait for one
     */
    void beginWaiting(int held) {
        synchronized (lock) {
            if (heldByWaiting + held >= poolSize) {
                throw new TransactionException(
                        "An independent unit of work on " + url + " would wait for ever: all " + poolSize
                                + " connections of the pool are held by units that wait for another one; raise the"
                                + " poolSize or do without",
                        null);
            }
            heldByWaiting += held;
        }
    }

    void endWaiting(int held) {
        synchronized (lock) {
            heldByWaiting -= held;
        }
    }

    /** What an independent unit would wait for in vain. */
    String whyNotIndependent() {
        return url.kind() == Kind.SQLITE_MEMORY
                ? "a database in memory lets nobody in beside a writer"
                : "a file of SQLite has one writer at a time";
    }
}
