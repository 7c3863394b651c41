package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.TestSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** Units of work with a custom factory on SQLite's plain driver, whose connections cannot become read-only. */
@Timeout(60)
class PlainSqliteTest {
    private static EngineSource open(DatabaseUrl url, EngineSettings settings) {
        SQLiteDataSource driver = new SQLiteDataSource();
        driver.setUrl(url.jdbcUrl());
        return new TestSource(driver, () -> {}); // the user of a connection closes it
    }

    @Test
    void a_connection_is_writable_after_each_unit() throws SQLException {
        OneConnection source = new OneConnection(DriverManager.getConnection("jdbc:sqlite::memory:"));
        try (EngineCache cache = EngineCache.create((url, settings) -> source, EngineSettings.defaults())) {
            UnitOfWork work = UnitOfWork.on(cache.engine("jdbc:sqlite:reused.db"));
            work.run(tx -> Sql.execute(tx.connection(), "CREATE TABLE plan(id)"));
            work.read(tx -> 1);
            assertUsable(source, 1);

            Transaction tx = work.begin();
            assertThatThrownBy(() -> work.read(inner -> {
                        tx.close();
                        return true;
                    }))
                    .hasMessageContaining("closed and rolled back within");
            assertUsable(source, 2);
        }
    }

    /** The source has no pool that would close the statements. */
    @Test
    void the_end_of_a_unit_closes_open_statements() throws SQLException {
        OneConnection source = new OneConnection(DriverManager.getConnection("jdbc:sqlite::memory:"));
        try (EngineCache cache = EngineCache.create((url, settings) -> source, EngineSettings.defaults())) {
            UnitOfWork work = UnitOfWork.on(cache.engine("jdbc:sqlite:reused.db"));
            for (boolean commits : List.of(true, false)) {
                List<Statement> left = new ArrayList<>();
                work.run(tx -> {
                    left.add((Statement) ((Guarded<?>) tx.connection().createStatement()).target);
                    left.add((Statement) ((Guarded<?>) tx.connection().prepareStatement("SELECT 1")).target);
                    if (!commits) {
                        tx.setRollbackOnly();
                    }
                });
                for (Statement statement : left) {
                    assertThat(statement.isClosed()).as("commits: %s", commits).isTrue();
                }
            }
        }
    }

    private static void assertUsable(OneConnection source, int rows) throws SQLException {
        Connection connection = source.dataSource().getConnection();
        assertThat(connection.getAutoCommit()).isTrue();
        Sql.execute(connection, "INSERT INTO plan VALUES (1)");
        assertThat(Sql.query(connection, "SELECT count(*) FROM plan")).isEqualTo(String.valueOf(rows));
    }

    @Test
    void a_read_only_unit_cannot_write(@TempDir Path directory) throws SQLException {
        try (EngineCache cache = EngineCache.create(PlainSqliteTest::open, EngineSettings.defaults())) {
            UnitOfWork work = UnitOfWork.on(cache.engine("jdbc:sqlite:" + directory.resolve("app.db")));
            work.run(tx -> Sql.execute(tx.connection(), "CREATE TABLE plan(id)"));

            assertThatThrownBy(() -> work.read(tx -> {
                        Sql.execute(tx.connection(), "INSERT INTO plan VALUES (1)");
                        return true;
                    }))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("readonly");
            work.run(tx -> {
                Sql.execute(tx.connection(), "INSERT INTO plan VALUES (2)");
                String rows = work.read(inner -> Sql.query(inner.connection(), "SELECT count(*) FROM plan"));
                assertThat(rows).isEqualTo("1");
                Sql.execute(tx.connection(), "INSERT INTO plan VALUES (3)");
            });

            String rows = work.read(tx -> Sql.query(tx.connection(), "SELECT group_concat(id) FROM plan"));
            assertThat(rows).isEqualTo("2,3");
        }
    }
}
