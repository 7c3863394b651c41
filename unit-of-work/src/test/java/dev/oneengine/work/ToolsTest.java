package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Proxies;
import dev.oneengine.testing.Sql;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jooq.impl.DSL;
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

/** Tools on top of JDBC take part in a unit of work. */
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
    void a_transaction_of_jdbi_is_part_of_the_unit() throws SQLException {
        work.run(tx -> {
            Jdbi jdbi = Jdbi.create(tx.connection());
            jdbi.useHandle(handle -> {
                handle.savepoint("before");
                handle.execute("INSERT INTO item VALUES (?)", "a");
                handle.rollbackToSavepoint("before");
                handle.execute("INSERT INTO item VALUES (?)", "b");
            });
            jdbi.useTransaction(handle -> handle.execute("INSERT INTO item VALUES (?)", "c"));
        });
        assertThat(Items.in(engine.dataSource())).containsExactly("b", "c");
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
                    .hasStackTraceContaining("is rejected");
        });
        assertThat(Items.in(engine.dataSource())).containsExactly("a");
    }

    private interface Failing {
        void run(Transaction tx) throws SQLException;
    }

    /** Checks that the unit is rolled back if a tool requests a rollback and the application swallows the failure. */
    private void assertDoomed(Failing failing) throws SQLException {
        assertThatThrownBy(() -> work.run(tx -> {
                    tx.afterCommit(() -> {
                        throw new IllegalStateException("not committed");
                    });
                    Items.insert(tx, "before");
                    assertThatThrownBy(() -> failing.run(tx)).isInstanceOf(Exception.class);
                    assertThat(tx.isRollbackOnly()).isTrue();
                    Items.insert(tx, "after");
                }))
                .isInstanceOf(RollbackOnlyException.class)
                .cause()
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("rejected");
        assertThat(Items.in(engine.dataSource())).isEmpty();
    }

    @Test
    void a_requested_rollback_dooms_the_unit() throws SQLException {
        assertDoomed(tx -> tx.connection().rollback());
        assertDoomed(tx -> tx.connection().abort(Runnable::run));
        assertDoomed(tx -> tx.dataSource().getConnection().rollback());
        assertDoomed(tx -> work.run(joined -> joined.connection().rollback()));
        for (String sql : List.of("ROLLBACK", "rollback transaction", "SELECT 1; ROLLBACK", "ABORT")) {
            assertDoomed(tx -> Sql.execute(tx.connection(), sql));
            assertDoomed(tx -> tx.connection().prepareStatement(sql));
        }
    }

    @Test
    void a_rollback_requested_in_a_nested_transaction_dooms_only_the_nested_one() throws SQLException {
        work.run(tx -> {
            Items.insert(tx, "outer");
            assertThatThrownBy(() -> tx.nested(inner -> {
                        Items.insert(inner, "inner");
                        assertThatThrownBy(() -> inner.connection().rollback()).hasMessageContaining("rejected");
                    }))
                    .isInstanceOf(RollbackOnlyException.class);
            assertThat(tx.isRollbackOnly()).isFalse();
        });
        assertThat(Items.in(engine.dataSource())).containsExactly("outer");
    }

    @Test
    void a_rejected_commit_does_not_doom_the_unit() throws SQLException {
        work.run(tx -> {
            Items.insert(tx, "a");
            assertThatThrownBy(() -> tx.connection().commit()).hasMessageContaining("rejected");
            assertThatThrownBy(() -> Sql.execute(tx.connection(), "COMMIT")).hasMessageContaining("rejected");
            assertThat(tx.isRollbackOnly()).isFalse();
        });
        assertThat(Items.in(engine.dataSource())).containsExactly("a");
    }

    @Test
    void a_failing_transaction_of_a_tool_dooms_the_unit() throws SQLException {
        // After a failed commit, Jdbi requests a rollback.
        assertDoomed(tx -> Jdbi.create(tx.connection()).useHandle(Handle::commit));
        assertDoomed(tx -> Jdbi.create(tx.connection()).useHandle(handle -> {
            handle.execute("INSERT INTO item VALUES (?)", "inner");
            handle.rollback();
        }));
        assertDoomed(tx -> new TransactionTemplate(new DataSourceTransactionManager(tx.dataSource()))
                .executeWithoutResult(status -> {
                    new JdbcTemplate(tx.dataSource()).update("INSERT INTO item VALUES (?)", "inner");
                    throw new IllegalStateException("work");
                }));
        assertDoomed(tx -> DSL.using(tx.connection()).transaction(configuration -> {
            DSL.using(configuration).execute("INSERT INTO item VALUES (?)", "inner");
            throw new IllegalStateException("work");
        }));
    }

    /** Jdbi detects the open transaction, so it neither begins nor ends one. It passes the failure to its caller. */
    @Test
    void a_failing_transaction_of_jdbi_does_not_reach_the_connection() throws SQLException {
        List<String> calls = new ArrayList<>();
        work.run(tx -> {
            Connection seen = Proxies.of(Connection.class, (self, method, args) -> {
                calls.add(method.getName());
                return method.invoke(tx.connection(), args);
            });
            assertThatThrownBy(() -> Jdbi.create(seen).useTransaction(handle -> {
                        throw new IllegalStateException("work");
                    }))
                    .hasMessage("work");
        });
        assertThat(calls).doesNotContain("rollback", "commit", "setAutoCommit", "setSavepoint");
    }

    @Test
    void batches_and_metadata_of_jdbc_work() throws SQLException {
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
    void arrays_are_written_and_read() throws SQLException {
        if (database != Database.POSTGRESQL) {
            return;
        }
        work.run(tx -> {
            Connection connection = tx.connection();
            Array names = connection.createArrayOf("text", new Object[] {"a", "b"});
            try (PreparedStatement statement = connection.prepareStatement("SELECT ?::text[]")) {
                // Arrays from the driver itself and from other tools also work.
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
        return Proxies.of(Array.class, (self, method, args) -> method.invoke(array, args));
    }
}
