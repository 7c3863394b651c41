package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.AcceptanceKit;
import dev.oneengine.acceptance.Implementation;
import java.io.IOException;

/**
 * Creates the objects that the steps of a scenario share, and removes what the scenario has created. Confined to the thread of the
 * scenario.
 */
public final class World {
    private final Implementation implementation = AcceptanceKit.implementation();
    private final Story story = new Story();
    private final Crew crew = new Crew(implementation::remoteThread, story);
    private final Caller caller = new Caller(crew);
    private final ForeignLockHolder foreignLockHolder = new ForeignLockHolder(crew);
    private final Databases databases = new Databases(implementation);
    private final Creations creations = new Creations(databases, crew, story);
    private final Caches caches = new Caches(implementation, creations, databases, story);
    private final Engines engines = new Engines(databases, caches, caller);
    private final NamedThreads threads = new NamedThreads(databases, creations, caches, crew);
    private final Race race = new Race(databases, creations, crew);

    public World() throws IOException {}

    /** Creates the first cache. */
    void begin() throws Exception {
        WarmUp.require(implementation, caller);
        caches.add();
    }

    Implementation implementation() {
        return implementation;
    }

    Story story() {
        return story;
    }

    Crew crew() {
        return crew;
    }

    Caller caller() {
        return caller;
    }

    ForeignLockHolder foreignLockHolder() {
        return foreignLockHolder;
    }

    Databases databases() {
        return databases;
    }

    Creations creations() {
        return creations;
    }

    Caches caches() {
        return caches;
    }

    Engines engines() {
        return engines;
    }

    NamedThreads threads() {
        return threads;
    }

    Race race() {
        return race;
    }

    /** Ends the scenario and removes everything it has created, whatever its outcome. */
    void end() throws Exception {
        creations.open();
        foreignLockHolder.letGo();
        try {
            crew.awaitEnd();
        } finally {
            caller.expect(() -> {
                caches.close();
                return true;
            });
            databases.delete();
        }
    }
}
