package dev.oneengine.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.testing.Database;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.SQLDialect;

/** Opens the databases of a comparison, a new one for each way, and closes all of them. Confined to its thread. */
final class Databases implements AutoCloseable {
    private final Path directory;
    private final Effort effort;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    Databases(Path directory, Effort effort) {
        this.directory = directory;
        this.effort = effort;
    }

    /** The folder for files of the comparison. */
    Path directory() {
        return directory;
    }

    Effort effort() {
        return effort;
    }

    /** Closes something together with the databases. */
    <T extends AutoCloseable> T closing(T resource) {
        open.push(resource);
        return resource;
    }

    /** A database on connections of the driver itself. */
    Store onDriver(Database kind) throws SQLException {
        return switch (kind) {
            case MEMORY -> {
                String name = UUID.randomUUID().toString();
                closing(DriverPool.anchor(name));
                yield driver(DriverPool.openMemory(name), SQLDialect.SQLITE);
            }
            case FILE ->
                driver(
                        DriverPool.openFile(
                                directory.resolve(UUID.randomUUID() + ".db").toString()),
                        SQLDialect.SQLITE);
            case POSTGRESQL -> driver(DriverPool.openPostgres(postgresUrl(), true), SQLDialect.POSTGRES);
        };
    }

    /** A database of PostgreSQL whose sessions have the server's default isolation. */
    Store onPostgresByDefault() throws SQLException {
        return driver(DriverPool.openPostgres(postgresUrl(), false), SQLDialect.POSTGRES);
    }

    private String postgresUrl() throws SQLException {
        return "jdbc:" + Database.POSTGRESQL.newUrl(directory).replace("postgres@", "") + "?user=postgres";
    }

    Store onH2() throws SQLException {
        HikariDataSource pool = DriverPool.openH2(UUID.randomUUID().toString());
        return stocked(new Store("", closing(pool), null, SQLDialect.H2));
    }

    private Store driver(HikariDataSource pool, SQLDialect dialect) throws SQLException {
        return stocked(new Store(Store.ON_DRIVER, closing(pool), null, dialect));
    }

    Store onEngine(Database kind) throws SQLException {
        return onEngine(kind, EngineSettings.defaults());
    }

    /** A database on the connections of an engine. */
    Store onEngine(Database kind, EngineSettings settings) throws SQLException {
        Engine engine = closing(EngineCache.create()).engine(kind.newUrl(directory), settings);
        SQLDialect dialect = kind == Database.POSTGRESQL ? SQLDialect.POSTGRES : SQLDialect.SQLITE;
        return stocked(new Store(Store.ON_ENGINE, engine.dataSource(), engine, dialect));
    }

    private static Store stocked(Store store) throws SQLException {
        DataSource dataSource = store.dataSource();
        Shop.create(dataSource, store.dialect() == SQLDialect.POSTGRES);
        return store;
    }

    /** Closes everything, in reverse order. */
    @Override
    public void close() {
        IllegalStateException failure = new IllegalStateException("Cannot close the databases of a comparison");
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                failure.addSuppressed(e);
            }
        }
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }
}
