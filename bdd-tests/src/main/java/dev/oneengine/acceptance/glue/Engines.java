package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.EngineUnderTest;
import java.util.List;

/** The engines of the first cache, by the names of their databases. Confined to the thread of the scenario. */
final class Engines {
    private final Databases databases;
    private final Caches caches;
    private final Caller caller;

    Engines(Databases databases, Caches caches, Caller caller) {
        this.databases = databases;
        this.caches = caches;
        this.caller = caller;
    }

    /** Asks for the engine of a database and returns it. */
    EngineSeen of(String database) {
        String url = databases.get(database).url();
        return caller.expect(() -> EngineSeen.engine(caches.first().engine(url)));
    }

    /** A query on a database. */
    @FunctionalInterface
    interface Query {
        List<String> of(EngineUnderTest engine) throws Exception;
    }

    /** Reads from a database, which must not fail. */
    List<String> query(String database, Query query) {
        EngineUnderTest engine = of(database).get();
        return caller.expect(() -> query.of(engine));
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
}
