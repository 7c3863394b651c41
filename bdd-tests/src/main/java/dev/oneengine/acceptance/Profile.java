package dev.oneengine.acceptance;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A set of abilities that a user demands. A scenario that needs one of them fails instead of being skipped if the implementation
 * does not offer it.
 *
 * <p>Immutable and thread-safe.
 */
public enum Profile {
    /** A cache whose engines can be evicted, and which can be closed. */
    CACHE("cache"),
    /** Units of work on such a cache. */
    CACHE_AND_UNITS("cache+units"),
    /** All abilities. */
    FULL("full");

    private final String text;

    Profile(String text) {
        this.text = text;
    }

    /**
     * Returns the demanded abilities.
     *
     * @return the abilities, in no particular order
     */
    public Set<Ability> abilities() {
        return switch (this) {
            case CACHE -> EnumSet.of(Ability.EVICTION, Ability.CLOSING);
            case CACHE_AND_UNITS ->
                EnumSet.of(
                        Ability.EVICTION,
                        Ability.CLOSING,
                        Ability.UNITS_OF_WORK,
                        Ability.JOINING,
                        Ability.SAVEPOINTS,
                        Ability.READ_ONLY,
                        Ability.GUARDED_TRANSACTIONS);
            case FULL -> EnumSet.allOf(Ability.class);
        };
    }

    /**
     * Finds a profile by its name.
     *
     * @param name {@code cache}, {@code cache+units} or {@code full}
     * @return the profile
     * @throws IllegalArgumentException if there is no such profile
     */
    public static Profile of(String name) {
        return Stream.of(values())
                .filter(profile -> profile.text.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no profile " + name + "; choose cache, cache+units or full"));
    }

    @Override
    public String toString() {
        return text;
    }
}
