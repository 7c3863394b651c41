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
record Broken(
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
            "Two threads that race for one URL create one engine",
            "Two threads that race for one URL get the same engine",
            "A table that one of two racing threads makes is there for the other",
            "The database of the bug report, which has no name, has one engine as well",
            "Units of work that are opened at once share one cached engine",
            "A unit of work and a migration runner that race for one URL share one engine",
            "A second thread waits until the first has put the engine into the cache",
            "Everybody who waited for a creation gets its failure",
            "Four workers with parallel sub-plans, as in the bug report",
            "64 threads ask for 100 databases");

    /** A thread that waits for a lock is not told that the creation has failed: it tries again itself. */
    private static final String NOT_TOLD = "Everybody who waited for a creation gets its failure";

    static Stream<Broken> all() {
        return Stream.of(
                new Broken("racy-cache", RacyCache::new, ALL_BUT_EVICTION, WITH_STRESS, RACE),
                new Broken(
                        "lock-released-before-reading-back",
                        BrokenCaches.LockReleasedBeforeReadingBack::new,
                        ALL,
                        CERTAIN,
                        Set.of(
                                "Who asked for an engine gets one, even if it is evicted as soon as it is there",
                                NOT_TOLD)),
                new Broken(
                        "lock-around-the-write-only",
                        BrokenCaches.LockAroundTheWriteOnly::new,
                        ALL_BUT_EVICTION,
                        WITH_STRESS,
                        RACE),
                new Broken(
                        "lock-per-consumer",
                        BrokenCaches.LockPerConsumer::new,
                        ALL_BUT_EVICTION,
                        WITH_STRESS,
                        Set.of(
                                "A unit of work and a migration runner that race for one URL share one engine",
                                NOT_TOLD)),
                new Broken(
                        "failure-cached",
                        BrokenCaches.FailureCached::new,
                        ALL,
                        WITH_STRESS,
                        Set.of("The next one who asks tries again")),
                new Broken(
                        "migrated-flag-per-unit",
                        BrokenCaches.MigratedFlagPerUnit::new,
                        ALL,
                        WITH_STRESS,
                        Set.of("Units of work that need the same migrations race")),
                new Broken(
                        "one-lock-for-all-urls",
                        BrokenCaches.OneLockForAllUrls::new,
                        ALL_BUT_EVICTION,
                        WITH_STRESS,
                        Set.of("Different URLs do not wait for each other", NOT_TOLD)),
                new Broken(
                        "public-monitor",
                        BrokenCaches.PublicMonitor::new,
                        ALL_BUT_EVICTION,
                        WITH_STRESS,
                        Set.of(
                                "Nobody outside can keep the cache from creating an engine",
                                "Nobody outside can keep the cache from handing out an engine that is there",
                                "Different URLs do not wait for each other",
                                NOT_TOLD)),
                new Broken(
                        "plain-memory",
                        creation -> new RightCache(creation, HandMadeEngine::plainMemory),
                        Set.of(EVICTION, HOUSEKEEPING),
                        WITH_STRESS,
                        Set.of(
                                "A table that one of two racing threads makes is there for the other",
                                "A table made on one connection is there on the others",
                                "It survives the closing of all connections of the pool",
                                "Two threads read and then write at the same moment",
                                "Four threads read and write as fast as they can")),
                new Broken(
                        "shared-cache",
                        creation -> new RightCache(creation, HandMadeEngine::sharedCache),
                        Set.of(EVICTION, HOUSEKEEPING),
                        CERTAIN,
                        Set.of("Two threads read and then write at the same moment")),
                new Broken(
                        "closed-but-kept",
                        BrokenCaches.ClosedButKept::new,
                        ALL,
                        WITH_STRESS,
                        Set.of(
                                "After an eviction there is another engine",
                                "Nobody gets an engine that was closed before")),
                new Broken(
                        "open-after-close",
                        RightCache::new,
                        Set.of(Ability.CLOSING),
                        WITH_STRESS,
                        Set.of("It hands out no more engines", "An engine is being created while its cache is closed")),
                new Broken(
                        "left-open-by-close",
                        BrokenCaches.LeftOpen::new,
                        Set.of(Ability.CLOSING),
                        WITH_STRESS,
                        Set.of("Its engines are closed with it")),
                new Broken(
                        "tells-nobody",
                        creation -> new RightCache(url -> {}),
                        ALL,
                        WITH_STRESS,
                        Set.of(
                                "Two threads that race for one URL create one engine",
                                "The database of the bug report, which has no name, has one engine as well",
                                "Whoever comes later gets the cached engine, and nothing is created",
                                "Units of work that are opened at once share one cached engine",
                                "A unit of work and a migration runner that race for one URL share one engine",
                                "A second thread waits until the first has put the engine into the cache",
                                "Different URLs do not wait for each other",
                                "The next one who asks tries again",
                                NOT_TOLD,
                                "After an eviction there is another engine",
                                "Who asked for an engine gets one, even if it is evicted as soon as it is there",
                                "Four workers with parallel sub-plans, as in the bug report",
                                "64 threads ask for 100 databases")),
                new Broken(
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
                                "It is left open, and rolled back when it is closed",
                                "The part is rolled back with the whole",
                                "The whole is rolled back with the part, even if somebody swallows the failure",
                                "Only the nested part is rolled back",
                                "It cannot write",
                                "After a commit",
                                "After a roll-back",
                                "After the roll-back of a nested part",
                                "What a repository does is committed with the unit",
                                "What a repository does is rolled back with the unit",
                                "A failure that would come again is not tried again")),
                new Broken(
                        "naive-migrations",
                        BrokenCaches.NaiveRunner::new,
                        ALL,
                        WITH_STRESS,
                        Set.of(
                                "Scripts are pending",
                                "The status of a database that was never migrated",
                                "The script is mended and tried again",
                                "What is added to one fork is not in the other, nor in what they were made of")),
                new Broken(
                        "password-shown",
                        BrokenCaches.PasswordShown::new,
                        Set.of(Ability.CLEAR_FAILURES),
                        WITH_STRESS,
                        Set.of(
                                "A password is not in the message: <url>",
                                "A data source is used after its engine was closed")),
                new Broken(
                        "unguarded-connection",
                        RightCache::new,
                        Set.of(UNITS_OF_WORK, GUARDED_TRANSACTIONS),
                        WITH_STRESS,
                        Set.of(
                                "A participant tries to <end> on the connection of the unit",
                                "A participant that tries a rollback dooms the unit",
                                "Another thread tries to use the connection",
                                "The engine is closed while a unit is open")));
    }

    /** Made by hand as well, and right. */
    static Broken nothing() {
        return new Broken("hand-made", ClosingCache::new, ALL_AND_CLOSING, WITH_STRESS, Set.of());
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
