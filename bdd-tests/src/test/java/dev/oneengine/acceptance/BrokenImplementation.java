package dev.oneengine.acceptance;

import static dev.oneengine.acceptance.Ability.EVICTION;
import static dev.oneengine.acceptance.Ability.FORKS;
import static dev.oneengine.acceptance.Ability.GUARDED_TRANSACTIONS;
import static dev.oneengine.acceptance.Ability.HOUSEKEEPING;
import static dev.oneengine.acceptance.Ability.MIGRATIONS;
import static dev.oneengine.acceptance.Ability.SHARED_FAILURES;
import static dev.oneengine.acceptance.Ability.UNITS_OF_WORK;

import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An implementation made by hand, and what must fail for it. Immutable and thread-safe.
 *
 * @param name how its report is called
 * @param maker makes its cache
 * @param abilities what it has beside that
 * @param tags which scenarios run
 * @param mustFail the scenarios that must fail, and no others
 */
record BrokenImplementation(
        String name,
        Function<Creation, CacheUnderTest> maker,
        Set<Ability> abilities,
        String tags,
        Set<String> mustFail)
        implements Implementation {
    private static final Set<Ability> ALL =
            Set.of(EVICTION, SHARED_FAILURES, HOUSEKEEPING, UNITS_OF_WORK, MIGRATIONS, FORKS);
    private static final Set<Ability> ALL_AND_CLOSING =
            Set.of(EVICTION, SHARED_FAILURES, HOUSEKEEPING, UNITS_OF_WORK, MIGRATIONS, FORKS, Ability.CLOSING);
    private static final Set<Ability> ALL_BUT_EVICTION =
            Set.of(SHARED_FAILURES, HOUSEKEEPING, UNITS_OF_WORK, MIGRATIONS);

    /** What is found by chance is not found every time: it runs only where it must pass, or fails in any case. */
    private static final String CERTAIN = "not @stress";

    private static final String WITH_STRESS = "@stress or not @stress";

    /** What two threads do that find no engine at the same time. */
    private static final Set<String> RACE = Set.of(
            "EC-01", "EC-02", "EC-03", "EC-04", "EC-06", "EC-07", "EC-08", "EC-13", "EC-20", "EC-21", "LD-01", "LD-02",
            "MI-01");

    /** A thread that waits for a lock is not told that the creation has failed: it tries again itself. */
    private static final String NOT_TOLD = "EC-13";

    static Stream<BrokenImplementation> all() {
        return Stream.of(
                new BrokenImplementation("racy-cache", RacyCache::new, ALL_BUT_EVICTION, WITH_STRESS, RACE),
                new BrokenImplementation(
                        "lock-released-before-reading-back",
                        BrokenCaches.LockReleasedBeforeReadingBack::new,
                        ALL,
                        CERTAIN,
                        Set.of("EC-15", NOT_TOLD)),
                new BrokenImplementation(
                        "lock-around-the-write-only",
                        BrokenCaches.LockAroundTheWriteOnly::new,
                        ALL_BUT_EVICTION,
                        WITH_STRESS,
                        RACE),
                new BrokenImplementation(
                        "lock-per-consumer",
                        BrokenCaches.LockPerConsumer::new,
                        ALL_BUT_EVICTION,
                        WITH_STRESS,
                        Set.of("EC-07", "EC-20", NOT_TOLD)),
                new BrokenImplementation(
                        "failure-cached", BrokenCaches.FailureCached::new, ALL, WITH_STRESS, Set.of("EC-12")),
                new BrokenImplementation(
                        "migrated-flag-per-unit",
                        BrokenCaches.MigratedFlagPerUnit::new,
                        ALL,
                        WITH_STRESS,
                        Set.of("MI-02")),
                new BrokenImplementation(
                        "one-lock-for-all-urls",
                        BrokenCaches.OneLockForAllUrls::new,
                        ALL_BUT_EVICTION,
                        WITH_STRESS,
                        Set.of("EC-09", "EC-22", NOT_TOLD)),
                new BrokenImplementation(
                        "public-monitor",
                        BrokenCaches.PublicMonitor::new,
                        ALL_BUT_EVICTION,
                        WITH_STRESS,
                        Set.of("EC-10", "EC-11", "EC-09", "EC-22", NOT_TOLD)),
                new BrokenImplementation(
                        "plain-memory",
                        creation -> new RightCache(creation, HandMadeEngine::plainMemory),
                        Set.of(EVICTION, HOUSEKEEPING),
                        WITH_STRESS,
                        Set.of("EC-03", "ME-01", "ME-02", "ME-04", "ME-05")),
                new BrokenImplementation(
                        "shared-cache",
                        creation -> new RightCache(creation, HandMadeEngine::sharedCache),
                        Set.of(EVICTION, HOUSEKEEPING),
                        CERTAIN,
                        Set.of("ME-04")),
                new BrokenImplementation(
                        "closed-but-kept", BrokenCaches.ClosedButKept::new, ALL, WITH_STRESS, Set.of("EC-14", "EC-16")),
                new BrokenImplementation(
                        "open-after-close",
                        RightCache::new,
                        Set.of(Ability.CLOSING),
                        WITH_STRESS,
                        Set.of("EC-18", "EC-19", "EC-27")),
                new BrokenImplementation(
                        "left-open-by-close",
                        BrokenCaches.LeftOpen::new,
                        Set.of(Ability.CLOSING),
                        WITH_STRESS,
                        Set.of("EC-17")),
                new BrokenImplementation(
                        "tells-nobody",
                        creation -> new RightCache(url -> {}),
                        ALL,
                        WITH_STRESS,
                        Set.of(
                                "EC-01", "EC-04", "EC-05", "EC-06", "EC-07", "EC-08", "EC-09", NOT_TOLD, "EC-14",
                                "EC-15", "EC-20", "EC-21", "EC-22", "EC-23", "EC-26", "LD-01", "LD-02", "MI-01")),
                new BrokenImplementation(
                        "naive-units",
                        BrokenCaches.NaiveUnits::new,
                        Set.of(
                                UNITS_OF_WORK,
                                Ability.BEGIN_BY_HAND,
                                Ability.JOINING,
                                Ability.SAVEPOINTS,
                                Ability.READ_ONLY,
                                Ability.HOOKS,
                                Ability.REPOSITORIES,
                                Ability.RETRY),
                        WITH_STRESS,
                        Set.of(
                                "UW-05", "UW-07", "UW-08", "UW-10", "UW-13", "UW-14", "UW-15", "UW-16", "UW-17",
                                "UW-18", "UW-23")),
                new BrokenImplementation(
                        "naive-migrations",
                        BrokenCaches.NaiveRunner::new,
                        ALL,
                        WITH_STRESS,
                        Set.of("MI-04", "MI-06", "MI-07", "MI-08", "MI-09", "MI-10", "MI-11")),
                new BrokenImplementation(
                        "password-shown",
                        BrokenCaches.PasswordShown::new,
                        Set.of(Ability.CLEAR_FAILURES),
                        WITH_STRESS,
                        Set.of("FA-02", "FA-04")),
                new BrokenImplementation(
                        "unguarded-connection",
                        RightCache::new,
                        Set.of(UNITS_OF_WORK, GUARDED_TRANSACTIONS),
                        WITH_STRESS,
                        Set.of("UW-19", "UW-20", "UW-21", "UW-22")));
    }

    /** Made by hand as well, and right. */
    static BrokenImplementation nothing() {
        return new BrokenImplementation("hand-made", ClosingCache::new, ALL_AND_CLOSING, WITH_STRESS, Set.of());
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
