package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.Creation;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The engines that the caches of a scenario create, by database. Thread-safe. */
final class Creations implements Creation {
    private final Databases databases;
    private final Crew crew;
    private final Story story;
    private final Map<Database, CreationGate> gates = new ConcurrentHashMap<>();

    Creations(Databases databases, Crew crew, Story story) {
        this.databases = databases;
        this.crew = crew;
        this.story = story;
    }

    /** Returns the gate for creations of the engine of a database. */
    CreationGate of(String database) {
        return of(databases.get(database));
    }

    private CreationGate of(Database database) {
        return gates.computeIfAbsent(database, any -> new CreationGate(crew, story, database.name()));
    }

    @Override
    public void begins(String url) throws SQLException {
        begins(url, Thread.currentThread());
    }

    @Override
    public void begins(String url, Thread caller) throws SQLException {
        for (Database database : meant(url)) {
            of(database).visit(caller);
        }
    }

    /** Returns the databases that a cache's spelling of a URL may mean. A spelling without a name means the unnamed database. */
    private List<Database> meant(String url) {
        List<Database> named = databases.all().stream()
                .filter(database -> url.contains(database.key()))
                .toList();
        return named.isEmpty()
                ? databases.all().stream()
                        .filter(database -> !database.url().contains(database.key()))
                        .toList()
                : named;
    }

    /** Whether a thread is creating any engine. */
    boolean isInside(Worker<?> worker) {
        return gates.values().stream().anyMatch(gate -> gate.isInside(worker));
    }

    /** Whether any thread is creating an engine. */
    boolean isAnyThreadInside() {
        return gates.values().stream().anyMatch(CreationGate::isAnyThreadInside);
    }

    /** Holds no creation from now on. */
    void open() {
        gates.values().forEach(CreationGate::open);
    }
}
