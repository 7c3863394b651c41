package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteConnection;
import org.sqlite.jdbc4.JDBC4Statement;

/** Some failures make SQLite end a transaction. It would then commit each later statement separately. */
@Timeout(60)
@ParameterizedClass
@EnumSource(names = {"MEMORY", "FILE"})
class LostTransactionTest {
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
        Sql.execute(
                engine.dataSource(),
                "INSERT INTO item VALUES ('there')",
                "CREATE TRIGGER no_bombs BEFORE INSERT ON item WHEN new.name = 'bomb' "
                        + "BEGIN SELECT RAISE(ROLLBACK, 'no bombs'); END");
    }

    @AfterEach
    void close() {
        cache.close();
    }

    @Test
    void a_unit_whose_transaction_sqlite_ended_keeps_no_work() throws SQLException {
        for (String bomb :
                new String[] {"INSERT OR ROLLBACK INTO item VALUES ('there')", "INSERT INTO item VALUES ('bomb')"}) {
            assertThatThrownBy(() -> work.run(tx -> {
                        Items.insert(tx, "before");
                        assertThatThrownBy(() -> Sql.execute(tx.connection(), bomb))
                                .isInstanceOf(SQLException.class);
                        assertThat(tx.isRollbackOnly()).isTrue();
                        Items.insert(tx, "after");
                    }))
                    .isInstanceOf(RollbackOnlyException.class)
                    .hasCauseInstanceOf(SQLException.class);
            assertThat(Items.in(engine.dataSource())).containsExactly("there");
        }
        work.run(tx -> Items.insert(tx, "next"));
        assertThat(Items.in(engine.dataSource())).containsExactly("next", "there");
    }

    /** The interrupt that ends the write also ends the query for the transaction state. */
    @Test
    void a_unit_whose_transaction_state_is_unknown_keeps_no_work() throws SQLException {
        assertThatThrownBy(() -> work.run(tx -> {
                    Items.insert(tx, "before");
                    SQLiteConnection real = Kill.real(tx.connection()).unwrap(SQLiteConnection.class);
                    try (Statement unknown = new JDBC4Statement(real);
                            ResultSet rows = unknown.executeQuery("SELECT name FROM item");
                            Statement writer = tx.connection().createStatement()) {
                        assertThat(rows.next()).isTrue();
                        writer.cancel();
                        assertThatThrownBy(() -> writer.executeUpdate("INSERT INTO item VALUES ('cancelled')"))
                                .hasMessageContaining("SQLITE_INTERRUPT");
                    }
                    assertThat(tx.isRollbackOnly()).isTrue();
                    assertThatThrownBy(() -> Items.insert(tx, "after")).hasMessageContaining("roll back");
                    assertThatThrownBy(() -> tx.nested(inner -> Items.insert(inner, "after")))
                            .isInstanceOf(TransactionException.class);
                }))
                .isInstanceOf(RollbackOnlyException.class)
                .hasMessageContaining("SQLITE_INTERRUPT");
        assertThat(Items.in(engine.dataSource())).containsExactly("there");
        work.run(tx -> Items.insert(tx, "next"));
        assertThat(Items.in(engine.dataSource())).containsExactly("next", "there");
    }

    @Test
    void a_transaction_lost_inside_a_nested_one_dooms_the_unit() throws SQLException {
        assertThatThrownBy(() -> work.run(tx -> {
                    Items.insert(tx, "before");
                    assertThatThrownBy(() -> tx.nested(inner -> Items.insert(inner, "bomb")))
                            .hasMessageContaining("no bombs")
                            .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
                    assertThatThrownBy(() -> tx.nested(inner -> {
                                assertThatThrownBy(() -> Items.insert(inner, "bomb"))
                                        .hasMessageContaining("no bombs");
                            }))
                            .isInstanceOf(RollbackOnlyException.class);
                }))
                .isInstanceOf(RollbackOnlyException.class);
        assertThat(Items.in(engine.dataSource())).containsExactly("there");
    }

    @Test
    void an_ordinary_failure_does_not_lose_the_transaction() throws SQLException {
        work.run(tx -> {
            Items.insert(tx, "before");
            assertThatThrownBy(() -> Items.insert(tx, "there")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> Sql.execute(tx.connection(), "nonsense")).isInstanceOf(SQLException.class);
            try (Statement statement = tx.connection().createStatement();
                    ResultSet rows = statement.executeQuery("SELECT name FROM item")) {
                assertThatThrownBy(() -> rows.getString("no column")).isInstanceOf(SQLException.class);
            }
            assertThat(tx.isRollbackOnly()).isFalse();
            Items.insert(tx, "after");
        });
        assertThat(Items.in(engine.dataSource())).containsExactly("after", "before", "there");
    }
}
