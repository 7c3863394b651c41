package dev.oneengine.acceptance;

import java.util.Locale;

/**
 * What an implementation may have beside a cache of databases in memory. A scenario says by a tag what it needs: {@code @eviction}
 * stands for {@link #EVICTION}.
 *
 * <p>Immutable and thread-safe.
 */
public enum Ability {
    /** {@link CacheUnderTest#evict} and {@link EngineUnderTest#isClosed}. */
    EVICTION,
    /**
     * {@link CacheUnderTest#close} closes all engines, also one that is just being created, and after it there are no more;
     * {@link EngineUnderTest#isClosed}.
     */
    CLOSING,
    /** Whoever waits for a creation that fails gets its failure at once, instead of trying again. */
    SHARED_FAILURES,
    /** {@link EngineUnderTest#closeIdleConnections}. */
    HOUSEKEEPING,
    /** SQLite databases in files. */
    FILES,
    /** Databases of PostgreSQL. */
    POSTGRESQL,
    /** Failures that name the URL and hide its password. */
    CLEAR_FAILURES,
    /** {@link CacheUnderTest#work}. */
    UNITS_OF_WORK,
    /** {@link WorkUnderTest#begin}. */
    BEGIN_BY_HAND,
    /** A unit within a unit of the same thread is a part of it. */
    JOINING,
    /** {@link TransactionUnderTest#nested}. */
    SAVEPOINTS,
    /** {@link WorkUnderTest#read}. */
    READ_ONLY,
    /** {@link TransactionUnderTest#afterCommit} and {@link TransactionUnderTest#afterRollback}. */
    HOOKS,
    /** {@link TransactionUnderTest#repository}. */
    REPOSITORIES,
    /** Conflicts are met by running the whole unit again. */
    RETRY,
    /** Nobody but its unit ends a transaction, other threads cannot use it, and it fails once its engine is closed. */
    GUARDED_TRANSACTIONS,
    /** {@link CacheUnderTest#migrations}. */
    MIGRATIONS,
    /** {@link MigrationsUnderTest#forks}. */
    FORKS;

    /**
     * The tag of scenarios that need this.
     *
     * @return such as {@code @units-of-work}
     */
    public String tag() {
        return "@" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
