package dev.oneengine.acceptance;

import dev.oneengine.testing.Sql;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/**
 * A migration runner that migrates when it is inspected, leaves a failed script half applied, and returns the original as a fork.
 * Thread-safe.
 */
record NaiveMigrations(HandMadeWork.Source source, Scripts scripts) implements MigrationsUnderTest {
    @Override
    public Identity engine() throws Exception {
        return source.get().identity();
    }

    /** Uses no transaction and does not name a failed script. */
    @Override
    public void migrate() throws Exception {
        HandMadeEngine engine = source.get();
        synchronized (engine.migration()) {
            try (Connection connection = engine.dataSource().getConnection()) {
                for (String script : scripts.pending(engine)) {
                    Sql.execute(
                            connection,
                            Files.readString(scripts.folder().resolve(script)).split(";\\s*"));
                    Sql.execute(
                            connection,
                            "CREATE TABLE IF NOT EXISTS migration(script TEXT)",
                            "INSERT INTO migration VALUES ('" + script + "')");
                }
            }
        }
    }

    @Override
    public List<String> pending() throws Exception {
        List<String> pending = scripts.pending(source.get());
        migrate();
        return pending;
    }

    @Override
    public List<String> status() throws Exception {
        migrate();
        return scripts.all();
    }

    @Override
    public List<EngineUnderTest> forks(int number) throws Exception {
        return Collections.nCopies(number, new Same(source.get()));
    }

    private record Same(HandMadeEngine engine) implements EngineUnderTest {
        @Override
        public Identity identity() {
            return engine.identity();
        }

        @Override
        public ConnectionUnderTest connect() throws SQLException {
            return engine.connect();
        }

        @Override
        public void close() {}
    }
}
