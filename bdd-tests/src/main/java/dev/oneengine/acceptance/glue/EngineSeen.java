package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.EngineUnderTest;
import dev.oneengine.acceptance.Identity;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The engine that a caller got. Immutable and thread-safe.
 *
 * @param identity the identity of the engine
 * @param engine the engine, or {@code null} where only its identity is known
 */
record EngineSeen(Identity identity, @Nullable EngineUnderTest engine) {
    static EngineSeen engine(@Nullable EngineUnderTest engine) {
        if (engine == null) {
            throw new AssertionError("the cache handed out no engine");
        }
        return new EngineSeen(engine.identity(), engine);
    }

    static EngineSeen identity(Identity identity) {
        return new EngineSeen(identity, null);
    }

    EngineUnderTest get() {
        return Objects.requireNonNull(engine, "only the identity of the engine is known");
    }
}
