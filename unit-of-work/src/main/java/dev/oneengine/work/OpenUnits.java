package dev.oneengine.work;

import dev.oneengine.cache.Engine;
import org.jspecify.annotations.Nullable;

/** The open units of each thread, on all engines, from the innermost to the outermost. Thread-safe: each thread sees its own. */
final class OpenUnits {
    private static final ThreadLocal<@Nullable UnitState> INNERMOST = new ThreadLocal<>();

    private OpenUnits() {}

    /**
     * Returns the innermost open unit of this thread on an engine, or {@code null}. Rolls back abandoned units on the way.
     *
     * @throws TransactionException if this thread has an open unit on a closed engine of the same database: a call that would join it must
     *     not become a separate unit on the next engine
     */
    static @Nullable UnitState find(Engine engine) {
        for (UnitState unit = INNERMOST.get(); unit != null; unit = unit.outer()) {
            Engine its = unit.engine;
            boolean former = its != engine && its.isClosed() && its.url().equals(engine.url());
            if ((its != engine && !former) || unit.hasEnded() || unit.rollBackIfAbandoned()) {
                continue;
            }
            if (former) {
                throw new TransactionException(
                        "Cannot join the unit of work on " + its.url()
                                + " that is open in this thread: its engine was closed. End that unit first.",
                        null);
            }
            return unit;
        }
        return null;
    }

    static void add(UnitState unit) {
        unit.setOuter(INNERMOST.get());
        INNERMOST.set(unit);
    }

    /** Removes a unit. Units of {@link UnitOfWork#begin} may end in any order. Does nothing in a thread other than the unit's. */
    static void remove(UnitState unit) {
        UnitState inner = INNERMOST.get();
        if (inner == unit) {
            INNERMOST.set(unit.outer());
            return;
        }
        while (inner != null && inner.outer() != unit) {
            inner = inner.outer();
        }
        if (inner != null) {
            inner.setOuter(unit.outer());
        }
    }
}
