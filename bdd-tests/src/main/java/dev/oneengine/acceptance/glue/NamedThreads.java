package dev.oneengine.acceptance.glue;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The threads that ask for an engine, by their names in the scenario. Confined to the thread of the scenario. */
final class NamedThreads {
    private final Databases databases;
    private final Creations creations;
    private final Caches caches;
    private final Crew crew;
    private final Map<String, Worker<EngineSeen>> byName = new HashMap<>();

    NamedThreads(Databases databases, Creations creations, Caches caches, Crew crew) {
        this.databases = databases;
        this.creations = creations;
        this.caches = caches;
        this.crew = crew;
    }

    /** Starts a thread that asks for the engine of a database. */
    Worker<EngineSeen> ask(String name, String database) {
        String url = databases.get(database).url();
        // Expected before it starts: a cache may create the engine on another thread before start() returns.
        Worker<EngineSeen> worker = crew.start(
                name,
                creations.of(database)::expect,
                () -> EngineSeen.engine(caches.first().engine(url)));
        byName.put(name, worker);
        return worker;
    }

    Worker<EngineSeen> get(String name) {
        return Objects.requireNonNull(byName.get(name), () -> "no step has started a thread " + name);
    }
}
