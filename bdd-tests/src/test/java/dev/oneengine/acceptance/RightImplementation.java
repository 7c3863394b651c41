package dev.oneengine.acceptance;

import static dev.oneengine.acceptance.Ability.CLOSING;
import static dev.oneengine.acceptance.Ability.EVICTION;
import static dev.oneengine.acceptance.Ability.FILES;
import static dev.oneengine.acceptance.Ability.FORKS;
import static dev.oneengine.acceptance.Ability.HOUSEKEEPING;
import static dev.oneengine.acceptance.Ability.MIGRATIONS;
import static dev.oneengine.acceptance.Ability.POSTGRESQL;
import static dev.oneengine.acceptance.Ability.SHARED_FAILURES;
import static dev.oneengine.acceptance.Ability.UNITS_OF_WORK;

import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A correct implementation of one shape or another, which passes all scenarios. Immutable and thread-safe.
 *
 * @param name the name of its report
 * @param maker makes its cache
 * @param abilities its abilities in addition to the cache
 */
record RightImplementation(String name, Function<Creation, CacheUnderTest> maker, Set<Ability> abilities)
        implements Implementation {
    private static final Set<Ability> ALL = Set.of(
            EVICTION, SHARED_FAILURES, HOUSEKEEPING, UNITS_OF_WORK, MIGRATIONS, FORKS, FILES, POSTGRESQL, CLOSING);

    static Stream<RightImplementation> all() {
        return Stream.of(
                new RightImplementation("hand-made", ClosingCache::new, ALL),
                new RightImplementation(
                        "supply-async",
                        FutureCaches.SupplyAsync::new,
                        Set.of(EVICTION, SHARED_FAILURES, UNITS_OF_WORK, MIGRATIONS)),
                new RightImplementation(
                        "executor", FutureCaches.Executor::new, Set.of(SHARED_FAILURES, UNITS_OF_WORK, MIGRATIONS)),
                new RightImplementation("without-jdbc", MapCache::new, Set.of(SHARED_FAILURES)),
                new RightImplementation("lock-free", FutureCaches.LockFree::new, Set.of(SHARED_FAILURES)),
                new RightImplementation(
                        "closing-lazily", LazilyClosing::new, Set.of(EVICTION, SHARED_FAILURES, POSTGRESQL)),
                new RightImplementation(
                        "other-names",
                        RightImplementation::otherNames,
                        Set.of(SHARED_FAILURES, UNITS_OF_WORK, MIGRATIONS)));
    }

    /** Writes URLs as its database library does, which has no URL of the form {@code sqlite:///:memory:}. */
    private static CacheUnderTest otherNames(Creation creation) {
        return new RightCache(url -> creation.begins("MEMDB/"
                + url.replace("jdbc:sqlite:file:", "")
                        .replace("?mode=memory", "")
                        .replace("sqlite:///:memory:", "DEFAULT")));
    }

    private static final class LazilyClosing extends RightCache {
        LazilyClosing(Creation creation) {
            super(creation);
        }

        @Override
        void retire(HandMadeEngine engine) {
            engine.closeLater();
        }
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
