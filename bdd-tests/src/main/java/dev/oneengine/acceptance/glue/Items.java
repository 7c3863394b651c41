package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.ConnectionUnderTest;
import dev.oneengine.acceptance.EngineUnderTest;
import java.util.List;

/** The table that most scenarios write to. Stateless and thread-safe. */
final class Items {
    static final String TABLE = "item";
    private static final String CREATE = "CREATE TABLE " + TABLE + "(name VARCHAR(100) PRIMARY KEY)";
    private static final String ALL = "SELECT name FROM item ORDER BY name";

    private Items() {}

    static void createTable(EngineUnderTest engine) throws Exception {
        engine.sql(CREATE);
    }

    static void createTable(ConnectionUnderTest connection) throws Exception {
        connection.sql(CREATE);
    }

    static void add(EngineUnderTest engine, String name) throws Exception {
        engine.sql(insert(name));
    }

    static void add(ConnectionUnderTest connection, String name) throws Exception {
        connection.sql(insert(name));
    }

    private static String insert(String name) {
        return "INSERT INTO item VALUES ('" + name.replace("'", "''") + "')";
    }

    static List<String> all(EngineUnderTest engine) throws Exception {
        return engine.sql(ALL);
    }

    static List<String> all(ConnectionUnderTest connection) throws Exception {
        return connection.sql(ALL);
    }
}
