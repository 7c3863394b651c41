package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.Creation;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The engines that the caches of a scenario create, by database. Thread-safe. */
final class Creations implements Creation {
    private final Crew crew;
    private final Story story;
    private final Map<Database, CreationGate> gates = new ConcurrentHashMap<>();

    Creations(Crew crew, Story story) {
        this.crew = crew;
        this.story = story;
    }

    /** Tracks the creations for a database from now on. */
    void follow(Database database) {
        gates.put(database, new CreationGate(crew, story, database.name()));
    }

    CreationGate of(Database database) {
        return Objects.requireNonNull(gates.get(database));
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
        List<Database> named = gates.keySet().stream()
                .filter(database -> url.contains(database.key()))
                .toList();
        return named.isEmpty()
                ? gates.keySet().stream()
                        .filter(database -> !database.url().contains(database.key()))
                        .toList()
                : named;
    }

    boolean isInside(Worker<?> worker) {
        return gates.values().stream().anyMatch(gate -> gate.isInside(worker));
    }

    boolean isAnybodyInside() {
        return gates.values().stream().anyMatch(CreationGate::isAnybodyInside);
    }

    /** Holds no creation from now on. */
    void open() {
        gates.values().forEach(CreationGate::open);
    }
}
