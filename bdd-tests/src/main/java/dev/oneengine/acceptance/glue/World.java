package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.AcceptanceKit;
import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.DatabaseKind;
import dev.oneengine.acceptance.EngineUnderTest;
import dev.oneengine.acceptance.Identity;
import dev.oneengine.acceptance.Implementation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * The state that the steps of a scenario share. Confined to the thread of the scenario, except for members marked as thread-safe.
 */
public final class World {
    private static final Map<Implementation, Optional<Throwable>> WARM = new ConcurrentHashMap<>();
    private static final Object WARMING_UP = new Object();

    private final Implementation implementation = AcceptanceKit.implementation();
    private final Story story = new Story();
    private final Crew crew = new Crew(implementation::remoteThread, story);
    private final Creations creations = new Creations(crew, story);
    private final Databases databases;
    private final List<CacheUnderTest> caches = new ArrayList<>();
    private final Map<String, Worker<EngineSeen>> byName = new HashMap<>();
    private List<Worker<EngineSeen>> racers = List.of();
    private String raced = "";
    private @Nullable ForeignLockHolder outsider;
    private @Nullable Throwable failure;

    public World() throws IOException {
        databases = new Databases(implementation);
    }

    Implementation implementation() {
        return implementation;
    }

    /** Creates the cache. */
    void begin() throws Exception {
        warmUp();
        addCache();
    }

    /** Uses the implementation once before its first scenario. If that fails, each scenario fails for the same reason. */
    private void warmUp() {
        synchronized (WARMING_UP) {
            Throwable reason = WARM.computeIfAbsent(
                            implementation,
                            any -> Optional.ofNullable(
                                    crew.start("caller", this::useOnce).failure()))
                    .orElse(null);
            if (reason != null) {
                throw new AssertionError("Cannot use the implementation: " + reason.getMessage(), reason);
            }
        }
    }

    private boolean useOnce() throws Exception {
        Databases own = new Databases(implementation);
        try {
            Database database = own.add(DatabaseKind.IN_MEMORY, "warm_up");
            AdapterCheck.useOnce(implementation, database.url(), own.folder());
        } finally {
            own.delete();
        }
        return true;
    }

    /** Creates another cache. */
    CacheUnderTest addCache() throws Exception {
        CacheUnderTest cache = new ToldCache(implementation.cache(creations), story, databases::nameOf);
        caches.add(cache);
        return cache;
    }

    /** Returns the cache of the scenario. Thread-safe. */
    CacheUnderTest cache() {
        return caches.get(0);
    }

    Story story() {
        return story;
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

    /** Tracks the creation of engines of a database. */
    void follow(Database database) {
        creations.follow(database);
    }

    /** Returns the gate for creations of the engine of a database. */
    CreationGate site(String database) {
        return site(databases.get(database));
    }

    CreationGate site(Database database) {
        return creations.of(database);
    }

    /** Asks for the engine of a database and returns it. */
    EngineSeen engine(String database) {
        String url = databases.get(database).url();
        return expect(() -> EngineSeen.engine(cache().engine(url)));
    }

    /** A query on a database. */
    @FunctionalInterface
    interface Query {
        List<String> of(EngineUnderTest engine) throws Exception;
    }

    /** Reads from a database, which must not fail. */
    List<String> query(String database, Query query) {
        EngineUnderTest engine = engine(database).get();
        return expect(() -> query.of(engine));
    }

    /** Lists the tables of a database. */
    List<String> tables(String database) {
        String tables = databases.get(database).underTest().tablesQuery();
        return query(database, engine -> engine.sql(tables));
    }

    /** A change of a database. */
    @FunctionalInterface
    interface Change {
        void of(EngineUnderTest engine) throws Exception;
    }

    /** Changes a database, which must not fail. */
    void change(String database, Change change) {
        query(database, engine -> {
            change.of(engine);
            return List.of();
        });
    }

    /** Starts a thread that asks for an engine. */
    Worker<EngineSeen> ask(String thread, String database) {
        String url = databases.get(database).url();
        Worker<EngineSeen> worker = crew.start(thread, () -> EngineSeen.engine(cache().engine(url)));
        site(database).expect(worker);
        byName.put(thread, worker);
        return worker;
    }

    Worker<EngineSeen> thread(String name) {
        return Objects.requireNonNull(byName.get(name), () -> "no step has started a thread " + name);
    }

    /** Lets threads race for the engine of a database, and waits for their end. */
    void race(String database, int size, Crew.Racer<EngineSeen> racer) {
        raced = database;
        racers = crew.race(size, site(database)::expect, racer);
    }

    /** Adds threads that a race has started to the racers. */
    void addRacers(List<Worker<EngineSeen>> more) {
        List<Worker<EngineSeen>> all = new ArrayList<>(racers);
        all.addAll(more);
        racers = all;
    }

    List<Worker<EngineSeen>> racers() {
        return racers;
    }

    /** Whether a thread is creating any engine. */
    boolean isCreating(Worker<?> worker) {
        return creations.isInside(worker);
    }

    /** Whether any thread is creating an engine. */
    boolean isAnybodyCreating() {
        return creations.isAnybodyInside();
    }

    /** Returns the database of the last race. */
    Database raced() {
        return databases.get(raced);
    }

    /**
     * Makes a thread outside the cache hold the monitors of a URL, of the objects with these identities, and of their classes,
     * until the scenario ends.
     */
    void holdLocks(String url, Identity... identities) {
        List<Object> objects = new ArrayList<>(List.of(url, url.intern()));
        for (Identity identity : identities) {
            Object object = identity.object()
                    .orElseThrow(
                            () -> new TestAbortedException(identity + " is outside this JVM and has no lock here"));
            objects.add(object);
            objects.add(object.getClass());
        }
        outsider = new ForeignLockHolder(crew, objects);
    }

    Thread outsider() {
        return Objects.requireNonNull(outsider, "no step has made somebody hold locks")
                .thread();
    }

    /** Runs an action that may fail, in a thread with a time limit. Later steps check the failure. */
    void attempt(Callable<?> action) {
        failure = crew.start("caller", action).failure();
    }

    /** Runs an action that must not fail, in a thread with a time limit. */
    <T> T expect(Callable<T> action) {
        return crew.start("caller", action).result();
    }

    @Nullable Throwable failure() {
        return failure;
    }

    /** Ends the scenario and removes everything it has created, whatever its outcome. */
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
        closeFrom(0);
        return true;
    }

    /** Closes each cache, even after another one has failed to close. */
    private void closeFrom(int index) throws Exception {
        if (index == caches.size()) {
            return;
        }
        try {
            caches.get(index).close();
        } finally {
            try {
                caches.get(index).release();
            } finally {
                closeFrom(index + 1);
            }
        }
    }

    /** Returns the diagnostics of all caches. */
    String diagnostics() {
        return caches.stream()
                .map(CacheUnderTest::diagnostics)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("\n"));
    }
}
