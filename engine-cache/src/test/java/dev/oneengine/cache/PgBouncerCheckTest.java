package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.DriverDataSource.Connector;
import dev.oneengine.cache.EngineSettings.Isolation;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Proxies;
import dev.oneengine.testing.SessionProxy;
import dev.oneengine.testing.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A session setting requires a session that no proxy shares among clients. */
@Timeout(60)
class PgBouncerCheckTest {
    private static final EngineSettings STRICT =
            EngineSettings.builder().isolation(Isolation.SERIALIZABLE).build();

    @TempDir
    Path directory;

    private final EngineCache cache = EngineCache.create();

    @AfterEach
    void close() {
        cache.close();
        Pools.awaitNoThreads();
    }

    @Test
    void an_isolation_setting_is_rejected_behind_a_proxy_that_shares_sessions() throws Exception {
        try (SessionProxy proxy = SessionProxy.before(Database.POSTGRESQL.newUrl(directory))) {
            assertThatThrownBy(() -> cache.engine(proxy.url(), STRICT))
                    .isInstanceOf(EngineCreationException.class)
                    .hasMessageContainingAll(
                            "Cannot create the engine for", "PgBouncer", "isolation", "default_transaction_isolation");

            assertThat(Sql.query(cache.engine(proxy.url()).dataSource(), "SHOW transaction_isolation"))
                    .isEqualTo("read committed");
        }
    }

    @Test
    void a_direct_connection_has_the_configured_isolation() throws SQLException {
        Engine engine = cache.engine(Database.POSTGRESQL.newUrl(directory), STRICT);
        assertThat(Sql.query(engine.dataSource(), "SHOW transaction_isolation")).isEqualTo("serializable");
    }

    @Test
    void other_behaviour_of_the_driver_is_unchanged() throws SQLException {
        assertThat(PgBouncerCheck.rejecting((url, properties) -> null).connect("jdbc:other", new Properties()))
                .isNull();

        try (Connection connection =
                cache.engine(Database.POSTGRESQL.newUrl(directory)).dataSource().getConnection()) {
            Connector another = PgBouncerCheck.rejecting((url, properties) ->
                    Proxies.of(Connection.class, (self, method, arguments) -> method.invoke(connection, arguments)));
            assertThatThrownBy(() -> another.connect("jdbc:postgresql:other", new Properties()))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("getBackendPID");
            assertThat(connection.isClosed()).isTrue();
        }
    }
}
