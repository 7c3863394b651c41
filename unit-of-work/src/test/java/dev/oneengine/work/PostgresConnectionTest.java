package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.TcpProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Failures that keep or end the connection of a unit. Each test runs in a separate thread, because no interrupt ends a
 * read from a socket.
 */
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
class PostgresConnectionTest {
    private static final String BACKEND = "SELECT pg_backend_pid()";

    @TempDir
    Path directory;

    private String url;
    private EngineCache cache;

    @BeforeEach
    void open() throws SQLException {
        url = Database.POSTGRESQL.url(directory);
        cache = Items.cacheWithTable(url);
    }

    @AfterEach
    void close() {
        cache.close();
    }

    @Test
    void an_unsupported_feature_keeps_the_connection_and_the_unit() throws SQLException {
        Engine engine = cache.engine(url);
        UnitOfWork work = UnitOfWork.on(engine);

        work.run(tx -> {
            String backend = Sql.query(tx.connection(), BACKEND);
            Items.insert(tx, "before");
            assertThatThrownBy(() -> tx.connection().createClob()).isInstanceOf(SQLFeatureNotSupportedException.class);
            tx.nested(inner -> {
                Items.insert(inner, "nested");
                assertThatThrownBy(() -> inner.connection().createClob())
                        .isInstanceOf(SQLFeatureNotSupportedException.class);
                Items.insert(inner, "nested after");
            });
            assertThatThrownBy(() -> tx.nested(inner -> {
                        Items.insert(inner, "rolled back");
                        inner.connection().createClob();
                    }))
                    .isInstanceOf(SQLFeatureNotSupportedException.class);
            Items.insert(tx, "after");
            assertThat(Sql.query(tx.connection(), BACKEND)).isEqualTo(backend);
        });

        assertThat(Items.in(engine.dataSource())).containsExactly("after", "before", "nested", "nested after");
    }

    @Test
    void an_outdated_plan_fails_only_the_nested_transaction() throws SQLException {
        try (EngineCache own = EngineCache.create(
                EngineFactory.pooled(), EngineSettings.builder().poolSize(1).build())) {
            Engine engine = own.engine(url);
            UnitOfWork work = UnitOfWork.on(engine);
            for (int i = 0; i < 10; i++) { // the server keeps the plan from the fifth execution on
                work.run(PostgresConnectionTest::selectAll);
            }
            String backend = Sql.query(engine.dataSource(), BACKEND);
            Sql.execute(cache.engine(url).dataSource(), "ALTER TABLE item ADD COLUMN price INTEGER");

            work.run(tx -> {
                assertThatThrownBy(() -> tx.nested(PostgresConnectionTest::selectAll))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("0A000"))
                        .hasMessageContaining("cached plan must not change result type");
                selectAll(tx);
                Sql.execute(tx.connection(), "INSERT INTO item VALUES ('a', 1)");
            });

            assertThat(Sql.query(engine.dataSource(), BACKEND)).isEqualTo(backend);
            assertThat(Items.in(engine.dataSource())).containsExactly("a");
        }
    }

    private static void selectAll(Transaction tx) throws SQLException {
        try (PreparedStatement statement = tx.connection().prepareStatement("SELECT * FROM item")) {
            statement.executeQuery().close();
        }
    }

    @Test
    void a_dead_server_fails_the_unit_and_the_next_one_works() throws SQLException, IOException {
        EngineSettings settings = EngineSettings.builder()
                .poolSize(1)
                .socketTimeout(Duration.ofSeconds(1))
                .build();
        try (TcpProxy proxy = TcpProxy.before(url)) {
            Engine engine = cache.engine(proxy.url(), settings);
            UnitOfWork work = UnitOfWork.on(engine);

            assertThatThrownBy(() -> work.run(tx -> {
                        Items.insert(tx, "lost");
                        proxy.silenceOpenConnections();
                        Items.insert(tx, "no answer");
                    }))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).startsWith("08"));

            work.run(tx -> Items.insert(tx, "next"));
            assertThat(Items.in(engine.dataSource())).containsExactly("next");
        }
    }
}
