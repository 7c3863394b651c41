package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.Ability;
import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.EngineUnderTest;
import dev.oneengine.acceptance.Implementation;
import dev.oneengine.acceptance.MigrationsUnderTest;
import dev.oneengine.acceptance.TransactionUnderTest;
import dev.oneengine.acceptance.WorkUnderTest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Uses an adapter once before the first scenario. This loads its classes, so that a blocked thread later always waits for another
 * thread, never for class loading. It also detects methods that the adapter lacks although the implementation claims
 * the ability. Confined to its thread.
 */
final class AdapterCheck {
    private final Set<Ability> abilities;
    private final List<String> missing = new ArrayList<>();

    private AdapterCheck(Set<Ability> abilities) {
        this.abilities = abilities;
    }

    /**
     * Creates a cache and uses one database of it.
     *
     * @param scripts an empty folder
     */
    static void useOnce(Implementation implementation, String url, Path scripts) throws Exception {
        CacheUnderTest cache = implementation.cache(any -> {});
        try {
            AdapterCheck check = new AdapterCheck(implementation.abilities());
            check.cache(cache);
            check.engine(Opened.use(EngineSeen.engine(cache.engine(url))).get());
            check.rejectMissing(); // the first two, because all further checks need them
            if (check.offers(Ability.UNITS_OF_WORK)) {
                check.work(cache.work(url));
            }
            if (check.offers(Ability.FORKS)) {
                check.require(
                        Ability.FORKS, cache.migrations(url, scripts), MigrationsUnderTest.class, "forks", int.class);
            }
            check.rejectMissing();
        } finally {
            try {
                cache.close();
            } finally {
                cache.release();
            }
        }
    }

    private boolean offers(Ability ability) {
        return abilities.contains(ability);
    }

    private void cache(CacheUnderTest cache) throws Exception {
        require(Ability.EVICTION, cache, CacheUnderTest.class, "evict", String.class);
        require(Ability.UNITS_OF_WORK, cache, CacheUnderTest.class, "work", String.class);
        require(Ability.MIGRATIONS, cache, CacheUnderTest.class, "migrations", String.class, Path.class);
        require(Ability.FORKS, cache, CacheUnderTest.class, "migrations", String.class, Path.class);
        if (offers(Ability.UNITS_OF_WORK)) {
            require(Ability.MIGRATIONS, cache, CacheUnderTest.class, "work", String.class, Path.class);
        }
    }

    private void engine(EngineUnderTest engine) throws Exception {
        require(Ability.EVICTION, engine, EngineUnderTest.class, "isClosed");
        require(Ability.CLOSING, engine, EngineUnderTest.class, "isClosed");
        require(Ability.HOUSEKEEPING, engine, EngineUnderTest.class, "closeIdleConnections");
    }

    private void work(WorkUnderTest work) throws Exception {
        require(Ability.READ_ONLY, work, WorkUnderTest.class, "read", WorkUnderTest.Body.class);
        require(Ability.BEGIN_BY_HAND, work, WorkUnderTest.class, "begin");
        Opened.unit(work);
        work.run(transaction -> {
            require(Ability.SAVEPOINTS, transaction, TransactionUnderTest.class, "nested", WorkUnderTest.Body.class);
            require(Ability.HOOKS, transaction, TransactionUnderTest.class, "afterCommit", Runnable.class);
            require(Ability.HOOKS, transaction, TransactionUnderTest.class, "afterRollback", Runnable.class);
            require(
                    Ability.REPOSITORIES,
                    transaction,
                    TransactionUnderTest.class,
                    "repository",
                    Class.class,
                    Function.class);
        });
    }

    private void require(Ability ability, Object adapter, Class<?> type, String method, Class<?>... parameters)
            throws NoSuchMethodException {
        boolean overridden = !adapter.getClass()
                .getMethod(method, parameters)
                .getDeclaringClass()
                .equals(type);
        if (offers(ability) && !overridden) {
            String signature =
                    Stream.of(parameters).map(Class::getSimpleName).collect(Collectors.joining(", ", "(", ")"));
            missing.add("offers " + ability + ", so override " + type.getSimpleName() + "." + method + signature);
        }
    }

    private void rejectMissing() {
        if (!missing.isEmpty()) {
            throw new AssertionError("The implementation " + String.join("; it ", missing));
        }
    }
}
