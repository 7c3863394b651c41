package dev.oneengine.acceptance;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a cache or an engine under test. Two adapters with equal identities stand for the same cache or engine.
 *
 * <p>Immutable and thread-safe.
 */
public final class Identity {
    private final @Nullable Object object;
    private final String name;

    private Identity(@Nullable Object object, String name) {
        this.object = object;
        this.name = name;
    }

    /**
     * Identifies an object of this JVM by reference.
     *
     * @param object the cache or the engine that users of the implementation hold, not its adapter
     * @return an identity that is equal only to identities of the same object
     * @throws IllegalArgumentException if the object is a record that adapts an engine or a cache, or an identity
     */
    public static Identity of(Object object) {
        Objects.requireNonNull(object, "object");
        boolean adapter = object instanceof CacheUnderTest || object instanceof EngineUnderTest;
        if (object instanceof Identity || (adapter && object instanceof Record)) {
            throw new IllegalArgumentException(
                    "Identity.of needs the cache or the engine itself, but got its adapter: " + object);
        }
        return new Identity(object, object.getClass().getSimpleName());
    }

    /**
     * Identifies a cache or an engine outside this JVM by its name.
     *
     * @param name a name that no other cache or engine has
     * @return an identity that is equal to identities of the same name
     */
    public static Identity outside(String name) {
        return new Identity(null, name);
    }

    /**
     * Returns the identified object, whose lock any other thread can take.
     *
     * @return the object, or nothing if it is outside this JVM
     */
    public Optional<Object> object() {
        return Optional.ofNullable(object);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Identity that
                && (object == null
                        ? that.object == null && name.equals(that.name)
                        : object == that.object); // by reference, because an engine may define another equality
    }

    @Override
    public int hashCode() {
        return object == null ? name.hashCode() : System.identityHashCode(object);
    }

    @Override
    public String toString() {
        return object == null ? name : name + "@" + Integer.toHexString(System.identityHashCode(object));
    }
}
