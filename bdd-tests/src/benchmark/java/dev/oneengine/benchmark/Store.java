package dev.oneengine.benchmark;

import dev.oneengine.cache.Engine;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jspecify.annotations.Nullable;

/**
 * A database of one way, with the tables of the shop. Immutable and thread-safe.
 *
 * @param suffix the suffix of the names of all ways that use this database
 * @param dataSource its connections
 * @param engine the engine with these connections, {@code null} without this library
 * @param dialect the SQL dialect of jOOQ
 */
record Store(String suffix, DataSource dataSource, @Nullable Engine engine, SQLDialect dialect) {
    /** The suffix of a way's name if it runs on a pool of the driver's connections. */
    static final String ON_DRIVER = " on the driver";

    /** The suffix of a way's name if it runs on the connections of an engine. */
    static final String ON_ENGINE = " on the engine";

    boolean isEngine() {
        return engine != null;
    }
}
