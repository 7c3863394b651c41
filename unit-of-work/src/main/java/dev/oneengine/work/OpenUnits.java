package dev.oneengine.work;

import dev.oneengine.cache.Engine;
import org.jspecify.annotations.Nullable;

/** The open units of each thread, on whatever engines, from the innermost to the outermost. Every thread sees its own. */
final class OpenUnits {
    private static final ThreadLocal<@Nullable Unit> INNERMOST = new ThreadLocal<>();

    private OpenUnits() {}

    /**
     * The innermost unit on an engine that this thread has begun and not ended. One that nobody can end any more is rolled back.
     *
     * @throws TransactionException if there is one on an engine that was closed meanwhile: what would join it must not become
     *     a unit of its own on the next engine for that database
     */
    static @Nullable Unit on(Engine engine) {
        for (Unit unit = INNERMOST.get(); unit != null; unit = unit.outer()) {
            Engine its = unit.engine();
            boolean former = its != engine && its.isClosed() && its.url().equals(engine.url());
            if ((its != engine && !former) || unit.hasEnded() || unit.rollBackIfAbandoned()) {
                continue;
            }
            if (former) {
                throw new TransactionException(
                        "The engine for " + its.url()
                                + " was closed while a unit of work is open on it in this thread, so"
                                + " nothing can join that any more; let it end",
                        null);
            }
            return unit;
        }
        return null;
    }

    static void add(Unit unit) {
        unit.setOuter(INNERMOST.get());
        INNERMOST.set(unit);
    }

    /** Takes a unit out; those that were begun by hand may end in any order. In a thread that is not its own, does nothing. */
    static void remove(Unit unit) {
        Unit inner = INNERMOST.get();
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
