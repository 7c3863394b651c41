package dev.oneengine.work;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.Preparation;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Gets the engine of units of work and prepares it before its first use. Thread-safe. */
final class PreparedEngine {
    private final DatabaseUrl url;
    private final Supplier<Engine> source;
    private final List<Preparation<?>> steps;

    /** The last engine, after its preparation. Threads may find different ones, and each of them is right. */
    private volatile @Nullable Engine ready;

    private PreparedEngine(DatabaseUrl url, Supplier<Engine> source, List<Preparation<?>> steps) {
        this.url = url;
        this.source = source;
        this.steps = List.copyOf(steps);
    }

    static PreparedEngine of(
            EngineCache cache, DatabaseUrl url, @Nullable EngineSettings settings, List<Preparation<?>> steps) {
        return new PreparedEngine(url, () -> settings == null ? cache.engine(url) : cache.engine(url, settings), steps);
    }

    static PreparedEngine of(Engine engine, List<Preparation<?>> steps) {
        return new PreparedEngine(engine.url(), () -> engine, steps);
    }

    Engine get() {
        Engine known = ready;
        if (known != null && !known.isClosed()) {
            return known;
        }
        Engine engine = source.get();
        for (Preparation<?> step : steps) {
            requireOutsideOfUnit(engine, step);
            engine.prepare(step);
        }
        ready = engine;
        return engine;
    }

    /** Within an open unit, the step would be rolled back with that unit, or wait for it for ever. */
    private static void requireOutsideOfUnit(Engine engine, Preparation<?> step) {
        if (OpenUnits.find(engine) != null && !engine.isPrepared(step)) {
            throw new TransactionException(
                    "Cannot run the preparation \"" + step.name() + "\" of " + engine.url()
                            + " within the unit of work that is open in this thread. Call engine() before that unit.",
                    null);
        }
    }

    @Override
    public String toString() {
        return url.toString();
    }
}
