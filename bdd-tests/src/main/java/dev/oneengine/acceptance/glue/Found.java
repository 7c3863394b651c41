package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.EngineUnderTest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The engine that somebody got. Immutable and thread-safe.
 *
 * @param identity what tells the engine from others
 * @param engine the engine, or {@code null} where only its identity is known
 */
record Found(Object identity, @Nullable EngineUnderTest engine) {
    static Found engine(@Nullable EngineUnderTest engine) {
        if (engine == null) {
            throw new AssertionError("the cache handed out no engine");
        }
        return new Found(engine.identity(), engine);
    }

    static Found identity(Object identity) {
        return new Found(identity, null);
    }

    EngineUnderTest get() {
        return Objects.requireNonNull(engine, "only the identity of the engine is known");
    }
}
