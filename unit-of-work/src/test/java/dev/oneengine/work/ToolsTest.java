package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Database;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** Tools that people have on top of JDBC take part in a unit of work. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Database.class)
class ToolsTest {
    @Parameter
    Database database;

    @TempDir
    Path directory;

    private EngineCache cache;
    private Engine engine;
    private UnitOfWork work;

    @BeforeEach
    void open() throws SQLException {
        String url = database.url(directory);
        cache = Items.cacheWithTable(url);
        engine = cache.engine(url);
        work = UnitOfWork.on(engine);
    }

    @AfterEach
    void close() {
        cache.close();
    }

    @Test
    void jdbi() throws SQLException {
        work.run(tx -> {
            try (Handle handle = Jdbi.create(tx.connection()).open()) {
                handle.execute("INSERT INTO item VALUES (?)", "a");
                handle.prepareBatch("INSERT INTO item VALUES (:name)")
                        .bind("name", "b")
                        .add()
                        .bind("name", "c")
                        .add()
                        .execute();
                assertThat(handle.createQuery("SELECT name FROM item ORDER BY name")
                                .mapTo(String.class)
                                .list())
                        .containsExactly("a", "b", "c");
            }
        });
        assertThatThrownBy(() -> work.run(tx -> Jdbi.create(tx.dataSource()).useHandle(handle -> {
                    handle.execute("INSERT INTO item VALUES (?)", "d");
                    throw new IllegalStateException();
                })))
                .isInstanceOf(IllegalStateException.class);
        assertThat(Items.in(engine.dataSource())).containsExactly("a", "b", "c");
    }

    @Test
    void a_transaction_of_jdbi_is_part_of_the_unit_or_refused() throws SQLException {
        work.run(tx -> {
            Jdbi jdbi = Jdbi.create(tx.connection());
            jdbi.useHandle(handle -> {
                handle.savepoint("before");
                handle.execute("INSERT INTO item VALUES (?)", "a");
                handle.rollbackToSavepoint("before");
                handle.execute("INSERT INTO item VALUES (?)", "b");
            });
            assertThatThrownBy(() -> jdbi.useHandle(Handle::commit)).hasStackTraceContaining("commit() is refused");
        });
        assertThat(Items.in(engine.dataSource())).containsExactly("b");
    }

    @Test
    void spring() throws SQLException {
        work.run(tx -> {
            JdbcTemplate template = new JdbcTemplate(tx.dataSource());
            template.update("INSERT INTO item VALUES (?)", "a");
            template.batchUpdate("INSERT INTO item VALUES (?)", List.of(new Object[] {"b"}, new Object[] {"c"}));
            assertThat(template.queryForList("SELECT name FROM item ORDER BY name", String.class))
                    .containsExactly("a", "b", "c");
        });
        assertThatThrownBy(() -> work.run(tx -> {
                    new JdbcTemplate(new SingleConnectionDataSource(tx.connection(), true))
                            .update("INSERT INTO item VALUES (?)", "d");
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(Items.in(engine.dataSource())).containsExactly("a", "b", "c");
    }

    @Test
    void a_transaction_manager_on_the_connection_cannot_end_the_unit() throws SQLException {
        work.run(tx -> {
            SingleConnectionDataSource single = new SingleConnectionDataSource(tx.connection(), true);
            TransactionTemplate template = new TransactionTemplate(new DataSourceTransactionManager(single));
            assertThatThrownBy(() -> template.executeWithoutResult(
                            status -> new JdbcTemplate(single).update("INSERT INTO item VALUES (?)", "a")))
                    .hasStackTraceContaining("is refused");
        });
        assertThat(Items.in(engine.dataSource())).containsExactly("a");
    }

    @Test
    void batches_keys_and_metadata_of_jdbc() throws SQLException {
        work.run(tx -> {
            Connection connection = tx.connection();
            try (PreparedStatement statement = connection.prepareStatement("INSERT INTO item VALUES (?)")) {
                statement.setString(1, "a");
                statement.addBatch();
                statement.setString(1, "b");
                statement.addBatch();
                assertThat(statement.executeBatch()).hasSize(2);
                assertThat(statement.getParameterMetaData().getParameterCount()).isEqualTo(1);
            }
            try (ResultSet columns = connection.getMetaData().getColumns(null, null, "item", null)) {
                assertThat(columns.next()).isTrue();
                assertThat(columns.getString("COLUMN_NAME")).isEqualTo("name");
            }
        });
    }

    @Test
    void arrays_go_in_and_out() throws SQLException {
        if (database != Database.POSTGRESQL) {
            return;
        }
        work.run(tx -> {
            Connection connection = tx.connection();
            Array names = connection.createArrayOf("text", new Object[] {"a", "b"});
            try (PreparedStatement statement = connection.prepareStatement("SELECT ?::text[]")) {
                // Arrays of others, too: of the driver itself, and of another tool.
                statement.setArray(1, Kill.real(connection).createArrayOf("text", new Object[] {"a"}));
                statement.setArray(1, wrapped(names));
                statement.setArray(1, names);
                try (ResultSet rows = statement.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    Array found = rows.getArray(1);
                    assertThat((Object[]) found.getArray()).containsExactly("a", "b");
                    assertThat(found).hasToString("{a,b}");
                    assertThat(((Array) rows.getObject(1)).getResultSet()).isNotNull();
                }
            }
            try (var call = connection.prepareCall("{? = call upper(?)}")) {
                call.registerOutParameter(1, java.sql.Types.VARCHAR);
                call.setString(2, "a");
                call.execute();
                assertThat(call.getString(1)).isEqualTo("A");
                assertThat(call.getConnection()).isSameAs(connection);
            }
        });
    }

    private static Array wrapped(Array array) {
        return (Array) Proxy.newProxyInstance(
                ToolsTest.class.getClassLoader(),
                new Class<?>[] {Array.class},
                (self, method, args) -> method.invoke(array, args));
    }
}
