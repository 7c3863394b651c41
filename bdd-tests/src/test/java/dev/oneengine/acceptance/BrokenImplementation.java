package dev.oneengine.acceptance;

import static dev.oneengine.acceptance.Ability.BEGIN_BY_HAND;
import static dev.oneengine.acceptance.Ability.CLEAR_FAILURES;
import static dev.oneengine.acceptance.Ability.CLOSING;
import static dev.oneengine.acceptance.Ability.EVICTION;
import static dev.oneengine.acceptance.Ability.FILES;
import static dev.oneengine.acceptance.Ability.FORKS;
import static dev.oneengine.acceptance.Ability.GUARDED_TRANSACTIONS;
import static dev.oneengine.acceptance.Ability.HOOKS;
import static dev.oneengine.acceptance.Ability.HOUSEKEEPING;
import static dev.oneengine.acceptance.Ability.JOINING;
import static dev.oneengine.acceptance.Ability.MIGRATIONS;
import static dev.oneengine.acceptance.Ability.POSTGRESQL;
import static dev.oneengine.acceptance.Ability.READ_ONLY;
import static dev.oneengine.acceptance.Ability.REPOSITORIES;
import static dev.oneengine.acceptance.Ability.RETRY;
import static dev.oneengine.acceptance.Ability.SAVEPOINTS;
import static dev.oneengine.acceptance.Ability.SHARED_FAILURES;
import static dev.oneengine.acceptance.Ability.UNITS_OF_WORK;

import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A broken implementation, and the scenarios that must fail for it. Immutable and thread-safe.
 *
 * @param name the name of its report
 * @param maker creates its cache
 * @param abilities its abilities in addition to the cache
 * @param tags the tags of the scenarios to run
 * @param mustFail the scenarios that must fail; all others must pass
 */
record BrokenImplementation(
        String name,
        Function<Creation, CacheUnderTest> maker,
        Set<Ability> abilities,
        String tags,
        Set<String> mustFail)
        implements Implementation {
    private static final Set<Ability> CACHE_WITH_CONSUMERS =
            Set.of(SHARED_FAILURES, HOUSEKEEPING, UNITS_OF_WORK, MIGRATIONS);
    private static final Set<Ability> WITH_EVICTION =
            Set.of(EVICTION, SHARED_FAILURES, HOUSEKEEPING, UNITS_OF_WORK, MIGRATIONS);

    /**
     * Also runs the scenarios that detect some defects only by chance. For these implementations, their results are
     * certain.
     */
    private static final String ALL = "@stress or not @stress";

    /** An adapter that never calls {@link Creation#begins}, so its failures prove nothing about its cache. */
    static final String REPORTS_NO_CREATION = "reports-no-creation";

    private static final String CERTAIN = "not @stress";

    /** Leaves out the scenarios that a defect in the creation of engines cannot break. */
    private static final String OF_CREATIONS =
            "not @stress and not @housekeeping and not @ME-03 and not @ME-04 and not @ME-06"
                    + " and not @UW-01 and not @UW-02 and not @UW-03 and not @MI-03 and not @MI-04 and not @MI-05 and not @MI-06"
                    + " and not @MI-07 and not @MI-09 and not @MI-10";

    /** The scenarios that any unguarded race fails. */
    private static final Set<String> RACE = Set.of(
            "EC-01", "EC-02", "EC-03", "EC-04", "EC-06", "EC-07", "EC-08", "EC-13", "EC-20", "EC-21", "LD-01", "LD-02",
            "MI-01");

    /** Threads that wait for a lock do not see that a creation has failed, so each of them retries the creation. */
    private static final String NOT_TOLD = "EC-13";

    static Stream<BrokenImplementation> all() {
        return Stream.of(races(), creations(), databases(), closings(), units(), migrations(), messages())
                .flatMap(any -> any);
    }

    private static Stream<BrokenImplementation> races() {
        return Stream.of(
                new BrokenImplementation(
                        "racy-cache",
                        RacyCache::new,
                        Set.of(SHARED_FAILURES, HOUSEKEEPING, UNITS_OF_WORK, MIGRATIONS, FILES, POSTGRESQL),
                        ALL,
                        with(RACE, "FI-01", "PG-01", "PG-02", "PG-10")),
                new BrokenImplementation(
                        "lock-around-the-write-only",
                        BrokenCaches.LockAroundTheWriteOnly::new,
                        CACHE_WITH_CONSUMERS,
                        OF_CREATIONS,
                        RACE),
                new BrokenImplementation(
                        "engine-per-thread",
                        BrokenCreations.EnginePerThread::new,
                        Set.of(),
                        "@EC-01 or @EC-05 or @EC-08 or @EC-12",
                        Set.of("EC-01", "EC-05", "EC-08")),
                new BrokenImplementation(
                        "lock-released-before-reading-back",
                        BrokenCaches.LockReleasedBeforeReadingBack::new,
                        WITH_EVICTION,
                        OF_CREATIONS,
                        Set.of("EC-15", NOT_TOLD)),
                new BrokenImplementation(
                        "lock-per-consumer",
                        BrokenCaches.LockPerConsumer::new,
                        CACHE_WITH_CONSUMERS,
                        OF_CREATIONS,
                        Set.of("EC-07", "EC-20", NOT_TOLD)),
                new BrokenImplementation(
                        "one-lock-for-all-urls",
                        BrokenCaches.OneLockForAllUrls::new,
                        CACHE_WITH_CONSUMERS,
                        ALL,
                        Set.of("EC-09", "EC-22", NOT_TOLD)),
                new BrokenImplementation(
                        "public-monitor",
                        BrokenCaches.PublicMonitor::new,
                        CACHE_WITH_CONSUMERS,
                        OF_CREATIONS,
                        Set.of("EC-10", "EC-11", "EC-09", "EC-22", NOT_TOLD)),
                new BrokenImplementation(
                        "compute-if-absent",
                        PopularCaches.ComputeIfAbsent::new,
                        WITH_EVICTION,
                        ALL,
                        Set.of("EC-22", NOT_TOLD)),
                new BrokenImplementation(
                        "double-checked-locking",
                        PopularCaches.DoubleCheckedLocking::new,
                        WITH_EVICTION,
                        ALL,
                        Set.of("EC-09", "EC-22", NOT_TOLD)),
                new BrokenImplementation(
                        "caffeine", PopularCaches.OfCaffeine::new, WITH_EVICTION, ALL, Set.of("EC-22", NOT_TOLD)),
                // This defect shows only by chance: an eviction at the very end of a creation has no effect, so EC-16
                // may fail.
                new BrokenImplementation("guava", PopularCaches.OfGuava::new, WITH_EVICTION, CERTAIN, Set.of()));
    }

    private static Stream<BrokenImplementation> creations() {
        return Stream.of(
                new BrokenImplementation(
                        "failure-cached",
                        BrokenCaches.FailureCached::new,
                        Set.of(SHARED_FAILURES, POSTGRESQL),
                        OF_CREATIONS,
                        Set.of("EC-12", "PG-03")),
                new BrokenImplementation(
                        "retries-silently",
                        BrokenCreations.RetriesSilently::new,
                        Set.of(),
                        OF_CREATIONS,
                        Set.of("EC-23")),
                new BrokenImplementation(
                        "waiters-hang",
                        BrokenCreations.WaitersHang::new,
                        Set.of(),
                        "@EC-12 or @EC-24",
                        Set.of("EC-24")),
                new BrokenImplementation(
                        REPORTS_NO_CREATION,
                        creation -> new RightCache(url -> {}),
                        WITH_EVICTION,
                        ALL,
                        Set.of(
                                "EC-01", "EC-04", "EC-05", "EC-06", "EC-07", "EC-08", "EC-09", NOT_TOLD, "EC-14",
                                "EC-15", "EC-20", "EC-21", "EC-22", "EC-23", "EC-26", "LD-01", "LD-02", "MI-01")));
    }

    private static Stream<BrokenImplementation> databases() {
        return Stream.of(
                new BrokenImplementation(
                        "plain-memory",
                        creation -> new RightCache(creation, HandMadeDatabases::plainMemory),
                        Set.of(HOUSEKEEPING),
                        ALL,
                        Set.of("EC-03", "ME-01", "ME-02", "ME-04", "ME-05")),
                new BrokenImplementation(
                        "idle-connections-kept",
                        BrokenEvictions.IdleConnectionsKept::new,
                        Set.of(HOUSEKEEPING),
                        "@housekeeping or @ME-01",
                        Set.of("ME-02")),
                new BrokenImplementation(
                        "shared-cache",
                        creation -> new RightCache(creation, HandMadeDatabases::sharedCache),
                        Set.of(HOUSEKEEPING),
                        CERTAIN,
                        Set.of("ME-04")),
                new BrokenImplementation(
                        "one-connection",
                        creation -> new RightCache(creation, HandMadeDatabases::oneConnection),
                        Set.of(),
                        CERTAIN,
                        Set.of("ME-04")),
                new BrokenImplementation(
                        "databases-of-all-caches",
                        creation -> new RightCache(creation, HandMadeDatabases::memoryOfAllCaches),
                        Set.of(),
                        CERTAIN,
                        Set.of("ME-03")),
                new BrokenImplementation(
                        "one-database-for-all-urls",
                        BrokenImplementation::oneDatabaseForAllUrls,
                        Set.of(),
                        CERTAIN,
                        Set.of("ME-06")),
                new BrokenImplementation(
                        "memory-instead-of-files",
                        creation -> new RightCache(creation, HandMadeDatabases::memory),
                        Set.of(EVICTION, FILES),
                        "@files",
                        Set.of("FI-02")),
                new BrokenImplementation(
                        "deferred-files",
                        creation -> new RightCache(creation, HandMadeDatabases::deferredFile),
                        Set.of(EVICTION, FILES),
                        "@files",
                        Set.of("FI-03")));
    }

    private static CacheUnderTest oneDatabaseForAllUrls(Creation creation) {
        String name = UUID.randomUUID().toString();
        return new RightCache(creation, url -> HandMadeDatabases.memoryOf(name));
    }

    private static Stream<BrokenImplementation> closings() {
        return Stream.of(
                new BrokenImplementation(
                        "closed-but-kept",
                        BrokenEvictions.ClosedButKept::new,
                        Set.of(EVICTION),
                        "not @stress or @EC-16",
                        Set.of("EC-14", "EC-16", "EC-26")),
                new BrokenImplementation(
                        "forgotten-but-open",
                        BrokenEvictions.ForgottenButOpen::new,
                        Set.of(EVICTION, POSTGRESQL),
                        OF_CREATIONS,
                        Set.of("EC-25", "PG-04")),
                new BrokenImplementation(
                        "open-after-close",
                        RightCache::new,
                        Set.of(CLOSING),
                        OF_CREATIONS,
                        Set.of("EC-18", "EC-19", "EC-27")),
                new BrokenImplementation(
                        "left-open-by-close",
                        BrokenEvictions.LeftOpen::new,
                        Set.of(CLOSING),
                        OF_CREATIONS,
                        Set.of("EC-17")));
    }

    private static Stream<BrokenImplementation> units() {
        return Stream.of(
                new BrokenImplementation(
                        "naive-units",
                        creation -> new BrokenCaches.WithUnits(creation, NaiveWork::new),
                        Set.of(
                                UNITS_OF_WORK,
                                BEGIN_BY_HAND,
                                JOINING,
                                SAVEPOINTS,
                                READ_ONLY,
                                HOOKS,
                                REPOSITORIES,
                                RETRY,
                                POSTGRESQL),
                        "@units-of-work",
                        Set.of(
                                "UW-05", "UW-07", "UW-08", "UW-10", "UW-13", "UW-14", "UW-15", "UW-16", "UW-17",
                                "UW-18", "UW-23", "PG-06", "PG-07")),
                new BrokenImplementation(
                        "uncommitted-units",
                        creation -> new BrokenCaches.WithUnits(creation, UncommittedWork::new),
                        Set.of(UNITS_OF_WORK, BEGIN_BY_HAND, JOINING, SAVEPOINTS, READ_ONLY, REPOSITORIES),
                        "@units-of-work",
                        Set.of("UW-01", "UW-04", "UW-06", "UW-08", "UW-09", "UW-10", "UW-12", "UW-13", "UW-17")),
                new BrokenImplementation(
                        "auto-commit-units",
                        creation -> new BrokenCaches.WithUnits(creation, AutoCommitWork::new),
                        Set.of(UNITS_OF_WORK, JOINING, SAVEPOINTS, RETRY, POSTGRESQL),
                        "@units-of-work",
                        Set.of("UW-02", "UW-03", "UW-07", "UW-08", "UW-10", "UW-11", "PG-05", "PG-06", "PG-09")),
                new BrokenImplementation(
                        "unguarded-connection",
                        RightCache::new,
                        Set.of(UNITS_OF_WORK, GUARDED_TRANSACTIONS, POSTGRESQL),
                        "@units-of-work",
                        Set.of("UW-19", "UW-20", "UW-21", "UW-22", "PG-08")));
    }

    private static Stream<BrokenImplementation> migrations() {
        return Stream.of(
                new BrokenImplementation(
                        "migrated-flag-per-unit",
                        BrokenCaches.MigratedFlagPerUnit::new,
                        Set.of(UNITS_OF_WORK, MIGRATIONS),
                        "@migrations",
                        Set.of("MI-02")),
                new BrokenImplementation(
                        "naive-migrations",
                        creation -> new BrokenCaches.WithRunners(creation, NaiveMigrations::new),
                        Set.of(MIGRATIONS, FORKS, POSTGRESQL),
                        "@migrations",
                        Set.of(
                                "MI-04", "MI-06", "MI-07", "MI-08", "MI-09", "MI-10", "MI-11", "PG-11", "PG-12",
                                "PG-13")),
                new BrokenImplementation(
                        "forgetful-migrations",
                        creation -> new BrokenCaches.WithRunners(creation, ForgetfulMigrations::new),
                        Set.of(MIGRATIONS),
                        "@migrations",
                        Set.of("MI-01", "MI-03", "MI-05")));
    }

    private static Stream<BrokenImplementation> messages() {
        return Stream.of(
                new BrokenImplementation(
                        "password-shown",
                        BrokenCaches.PasswordShown::new,
                        Set.of(CLEAR_FAILURES, POSTGRESQL),
                        "@clear-failures",
                        Set.of("FA-02", "FA-03", "FA-04")),
                new BrokenImplementation(
                        "silent-failures",
                        BrokenCaches.SilentFailures::new,
                        Set.of(CLEAR_FAILURES, POSTGRESQL),
                        "@clear-failures or @EC-12",
                        Set.of("FA-01", "FA-02", "FA-03", "FA-04")));
    }

    private static Set<String> with(Set<String> ids, String... more) {
        Set<String> all = new TreeSet<>(ids);
        all.addAll(Set.of(more));
        return all;
    }

    @Override
    public CacheUnderTest cache(Creation creation) {
        return maker.apply(creation);
    }

    @Override
    public String toString() {
        return name;
    }
}
