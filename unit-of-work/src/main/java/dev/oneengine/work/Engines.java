package dev.oneengine.work;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.Preparation;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where units of work get their engine, prepared. Thread-safe. */
final class Engines {
    private final DatabaseUrl url;
    private final Supplier<Engine> source;
    private final @Nullable Preparation<?> preparation;

    /** The engine that was used last, if it was prepared. Another thread may find another one: both are the cache's. */
    private volatile @Nullable Engine ready;

    private Engines(DatabaseUrl url, Supplier<Engine> source, @Nullable Preparation<?> preparation) {
        this.url = url;
        this.source = source;
        this.preparation = preparation;
    }

    static Engines of(
            EngineCache cache,
            DatabaseUrl url,
            @Nullable EngineSettings settings,
            @Nullable Preparation<?> preparation) {
        return new Engines(url, () -> settings == null ? cache.engine(url) : cache.engine(url, settings), preparation);
    }

    static Engines of(Engine engine, @Nullable Preparation<?> preparation) {
        return new Engines(engine.url(), () -> engine, preparation);
    }

    Engine get() {
        Engine known = ready;
        if (known != null && !known.isClosed()) {
            return known;
        }
        Engine engine = source.get();
        if (preparation != null) {
            engine.prepare(preparation);
        }
        ready = engine;
        return engine;
    }

    @Override
    public String toString() {
        return url.toString();
    }
}
