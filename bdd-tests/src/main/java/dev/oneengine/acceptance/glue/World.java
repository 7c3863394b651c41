package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.Ability;
import dev.oneengine.acceptance.AcceptanceKit;
import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.Implementation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What the steps of a scenario share. For the thread of the scenario, but for what is said to be thread-safe. */
public final class World {
    private static final String NAMELESS = "sqlite:///:memory:";
    private static final Set<Implementation> WARM = ConcurrentHashMap.newKeySet();
    private static final Object WARMING_UP = new Object();

    private final Implementation implementation = AcceptanceKit.implementation();
    private final Crew crew = new Crew();
    private final Creations creations = new Creations(crew);
    private final Databases databases;
    private final List<CacheUnderTest> caches = new ArrayList<>();
    private final Map<String, Worker<EngineSeen>> byName = new HashMap<>();
    private List<Worker<EngineSeen>> racers = List.of();
    private @Nullable ForeignLockHolder outsider;
    private @Nullable Throwable failure;

    public World() throws IOException {
        databases = new Databases();
    }

    Implementation implementation() {
        return implementation;
    }

    /** Makes the cache. */
    void begin() throws Exception {
        warmUp();
        addCache();
    }

    /**
     * Uses the implementation once before anything is observed, so that a thread which stands still does so because it waits
     * for another one, and not because a class is being loaded.
     */
    private void warmUp() {
        synchronized (WARMING_UP) {
            if (WARM.add(implementation)) {
                expect(this::useOnce);
            }
        }
    }

    private boolean useOnce() throws Exception {
        CacheUnderTest cache = implementation.cache(url -> {});
        try {
            Opened.use(EngineSeen.engine(cache.engine(NAMELESS)));
            if (implementation.abilities().contains(Ability.UNITS_OF_WORK)) {
                Opened.unit(cache, NAMELESS);
            }
        } finally {
            cache.close();
        }
        return true;
    }

    /** Makes one more cache. */
    CacheUnderTest addCache() throws Exception {
        CacheUnderTest cache = implementation.cache(creations);
        caches.add(cache);
        return cache;
    }

    /** The cache of the scenario. Thread-safe. */
    CacheUnderTest cache() {
        return caches.get(0);
    }

    Crew crew() {
        return crew;
    }

    Databases databases() {
        return databases;
    }

    Database database(String name) {
        return databases.get(name);
    }

    /** Follows the creation of engines of a database. */
    void follow(Database database) {
        creations.follow(database);
    }

    /** Where the engine of a database is created. */
    CreationGate site(String database) {
        return site(databases.get(database));
    }

    CreationGate site(Database database) {
        return creations.of(database);
    }

    /** The engine of a database, as somebody gets it who asks for it now. */
    EngineSeen engine(String database) {
        String url = databases.get(database).url();
        return expect(() -> EngineSeen.engine(cache().engine(url)));
    }

    /** What is read over the connections of a database. */
    @FunctionalInterface
    interface Query {
        List<String> of(DataSource dataSource) throws Exception;
    }

    /** Reads from a database, which must not fail. */
    List<String> query(String database, Query query) {
        DataSource dataSource = engine(database).get().dataSource();
        return expect(() -> query.of(dataSource));
    }

    /** What is done over the connections of a database. */
    @FunctionalInterface
    interface Change {
        void of(DataSource dataSource) throws Exception;
    }

    /** Changes a database, which must not fail. */
    void change(String database, Change change) {
        query(database, dataSource -> {
            change.of(dataSource);
            return List.of();
        });
    }

    /** Starts a thread that asks for an engine. */
    Worker<EngineSeen> ask(String thread, String database) {
        String url = databases.get(database).url();
        Worker<EngineSeen> worker = crew.start(thread, () -> EngineSeen.engine(cache().engine(url)));
        byName.put(thread, worker);
        return worker;
    }

    Worker<EngineSeen> thread(String name) {
        return Objects.requireNonNull(byName.get(name), () -> "no step has started a thread " + name);
    }

    /** Lets threads race for the engine of a database, and waits for their end. */
    void race(String database, int size, Crew.Racer<EngineSeen> racer) {
        racers = crew.race(size, site(database)::expect, racer);
    }

    /** Counts threads that a race has brought about among the racers. */
    void addRacers(List<Worker<EngineSeen>> more) {
        List<Worker<EngineSeen>> all = new ArrayList<>(racers);
        all.addAll(more);
        racers = all;
    }

    List<Worker<EngineSeen>> racers() {
        return racers;
    }

    /** Whether a thread is in the middle of creating an engine, whichever. */
    boolean isCreating(Worker<?> worker) {
        return creations.isInside(worker);
    }

    /** Whether any thread is in the middle of that. */
    boolean isAnybodyCreating() {
        return creations.isAnybodyInside();
    }

    /** Lets somebody who has nothing to do with the cache hold locks until the scenario is over. */
    void holdLocks(List<?> objects) {
        outsider = new ForeignLockHolder(crew, objects);
    }

    Thread outsider() {
        return Objects.requireNonNull(outsider, "no step has made somebody hold locks")
                .thread();
    }

    /** Does what may fail, in a thread that has a limit; steps that come later ask for the failure. */
    void attempt(Callable<?> action) {
        failure = crew.start("caller", action).failure();
    }

    /** Does what must not fail, in a thread that has a limit. */
    <T> T expect(Callable<T> action) {
        return crew.start("caller", action).result();
    }

    @Nullable Throwable failure() {
        return failure;
    }

    /** Ends the scenario: nothing of it is left, whatever has become of it. */
    void end() throws Exception {
        creations.open();
        if (outsider != null) {
            outsider.letGo();
        }
        try {
            crew.awaitEnd();
        } finally {
            expect(this::closeCaches);
            databases.delete();
        }
    }

    private boolean closeCaches() throws Exception {
        for (CacheUnderTest cache : caches) {
            cache.close();
        }
        return true;
    }
}
