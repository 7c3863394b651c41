package dev.oneengine.work;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.Preparation;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where units of work get their engine, prepared. Thread-safe. */
final class Engines {
    private final DatabaseUrl url;
    private final Supplier<Engine> source;
    private final List<Preparation<?>> steps;

    /** What was used last, if it was prepared. Another thread may find another one: both are the cache's. */
    private volatile @Nullable Engine ready;

    private Engines(DatabaseUrl url, Supplier<Engine> source, List<Preparation<?>> steps) {
        this.url = url;
        this.source = source;
        this.steps = List.copyOf(steps);
    }

    static Engines of(
            EngineCache cache, DatabaseUrl url, @Nullable EngineSettings settings, List<Preparation<?>> steps) {
        return new Engines(url, () -> settings == null ? cache.engine(url) : cache.engine(url, settings), steps);
    }

    static Engines of(Engine engine, List<Preparation<?>> steps) {
        return new Engines(engine.url(), () -> engine, steps);
    }

    Engine get() {
        Engine known = ready;
        if (known != null && !known.isClosed()) {
            return known;
        }
        Engine engine = source.get();
        for (Preparation<?> step : steps) {
            refuseToPrepareWithin(engine, step);
            engine.prepare(step);
        }
        ready = engine;
        return engine;
    }

    /** The step would be part of the open unit, and rolled back with it, or wait for it for ever. */
    private static void refuseToPrepareWithin(Engine engine, Preparation<?> step) {
        if (OpenUnits.on(engine) != null && !engine.isPrepared(step)) {
            throw new TransactionException(
                    "A unit of work on " + engine.url() + " needs \"" + step.name()
                            + "\" to be done first, which cannot be within the unit that is open in this thread; call"
                            + " engine() on it before",
                    null);
        }
    }

    @Override
    public String toString() {
        return url.toString();
    }
}
