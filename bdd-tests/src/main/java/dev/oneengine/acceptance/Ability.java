package dev.oneengine.acceptance;

import java.util.Locale;

/**
 * An optional feature of an implementation, in addition to a cache of in-memory databases. The tags of a scenario name the
 * abilities that it needs: {@code @eviction} stands for {@link #EVICTION}.
 *
 * <p>Immutable and thread-safe.
 */
public enum Ability {
    /** {@link CacheUnderTest#evict} and {@link EngineUnderTest#isClosed}. */
    EVICTION,
    /**
     * {@link CacheUnderTest#close} closes all engines, including engines in creation, and the closed cache creates no more;
     * {@link EngineUnderTest#isClosed}.
     */
    CLOSING,
    /** A thread that waits for a creation gets its failure at once instead of retrying. */
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
    /** A unit within a unit of the same thread joins the outer unit. */
    JOINING,
    /** {@link TransactionUnderTest#nested}. */
    SAVEPOINTS,
    /** {@link WorkUnderTest#read}. */
    READ_ONLY,
    /** {@link TransactionUnderTest#afterCommit} and {@link TransactionUnderTest#afterRollback}. */
    HOOKS,
    /** {@link TransactionUnderTest#repository}. */
    REPOSITORIES,
    /** A conflict makes the whole unit run again. */
    RETRY,
    /** Only its unit can end a transaction. Other threads cannot use the transaction, and it fails once its engine is closed. */
    GUARDED_TRANSACTIONS,
    /** {@link CacheUnderTest#migrations}. */
    MIGRATIONS,
    /** {@link MigrationsUnderTest#forks}. */
    FORKS;

    /**
     * Returns the tag of the scenarios that need this ability.
     *
     * @return a tag such as {@code @units-of-work}
     */
    public String tag() {
        return "@" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
