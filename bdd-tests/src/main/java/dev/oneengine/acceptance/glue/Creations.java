package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.Creation;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** What the kit knows of the engines that a cache creates. Thread-safe. */
final class Creations implements Creation {
    private final Crew crew;
    private final Map<String, CreationGate> sites = new ConcurrentHashMap<>();

    Creations(Crew crew) {
        this.crew = crew;
    }

    /** Follows a database from now on. */
    void follow(Database database) {
        sites.put(database.key(), new CreationGate(crew));
    }

    CreationGate of(Database database) {
        return Objects.requireNonNull(sites.get(database.key()));
    }

    @Override
    public void begins(String url) throws SQLException {
        for (Map.Entry<String, CreationGate> site : sites.entrySet()) {
            if (url.contains(site.getKey())) {
                site.getValue().visit();
            }
        }
    }

    boolean isInside(Worker<?> worker) {
        return sites.values().stream().anyMatch(site -> site.isInside(worker));
    }

    boolean isAnybodyInside() {
        return sites.values().stream().anyMatch(CreationGate::isAnybodyInside);
    }

    /** Lets every creation go on from now on. */
    void open() {
        sites.values().forEach(CreationGate::open);
    }
}
