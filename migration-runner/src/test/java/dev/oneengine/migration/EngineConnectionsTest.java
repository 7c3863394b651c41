package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSettings.Isolation;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EngineConnectionsTest {
    @TempDir
    Path directory;

    @Test
    void optional_features_of_a_data_source_are_rejected_or_ignored() throws SQLException {
        try (EngineCache cache = EngineCache.create()) {
            DataSource source = forReading(cache.engine("sqlite:///:memory:"));
            source.setLogWriter(new PrintWriter(Writer.nullWriter()));
            source.setLoginTimeout(5);

            assertThat(source.getLogWriter()).isNull();
            assertThat(source.getLoginTimeout()).isZero();
            assertThat(source.isWrapperFor(DataSource.class)).isFalse();
            assertThatThrownBy(() -> source.unwrap(String.class)).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> source.getConnection("a", "b"))
                    .isInstanceOf(SQLFeatureNotSupportedException.class);
            assertThatThrownBy(source::getParentLogger).isInstanceOf(SQLFeatureNotSupportedException.class);
        }
    }

    @Test
    void connections_to_a_server_are_read_committed_regardless_of_url_and_settings() throws SQLException {
        String url =
                Database.POSTGRESQL.newUrl(directory) + "?options=-c%20default_transaction_isolation%3Dserializable";
        EngineSettings settings =
                EngineSettings.builder().isolation(Isolation.SERIALIZABLE).build();
        try (EngineCache cache = EngineCache.create(EngineFactory.pooled(), settings)) {
            Engine engine = cache.engine(url);
            for (DataSource source : List.of(forReading(engine), forScripts(engine))) {
                assertThat(Sql.query(source, "SHOW transaction_isolation")).isEqualTo("read committed");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void read_only_connections_cannot_write(Database database) throws SQLException {
        String url = database.url(directory);
        try (EngineCache cache = EngineCache.create()) {
            List<DataSource> sources = new ArrayList<>(List.of(forReading(cache.engine(url))));
            if (database == Database.FILE) {
                sources.add(new ReadOnlyFile(DatabaseUrl.parse(url), Duration.ofSeconds(1)));
            }
            for (DataSource source : sources) {
                assertThatThrownBy(() -> Sql.execute(source, "CREATE TABLE t(x INTEGER)"))
                        .isInstanceOf(SQLException.class)
                        .message()
                        .containsAnyOf("read-only", "readonly");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_read_only_connection_stays_read_only_after_a_rollback_and_can_be_closed_twice(Database database)
            throws SQLException {
        try (EngineCache cache = EngineCache.create()) {
            Connection connection =
                    forReading(cache.engine(database.url(directory))).getConnection();
            connection.setAutoCommit(false);
            assertThat(Sql.query(connection, "SELECT 1")).isEqualTo("1");
            connection.rollback();
            assertThat(connection.getAutoCommit()).isFalse();
            assertThatThrownBy(() -> Sql.execute(connection, "CREATE TABLE t(x INTEGER)"))
                    .isInstanceOf(SQLException.class)
                    .message()
                    .containsAnyOf("read-only", "readonly");
            connection.rollback();
            assertThat(Sql.query(connection, "SELECT 1")).isEqualTo("1");
            connection.close();
            connection.close();
            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void a_connection_for_scripts_rolls_back_on_close_and_can_be_closed_twice() throws SQLException {
        try (EngineCache cache = EngineCache.create()) {
            Engine engine = cache.engine(Database.POSTGRESQL.newUrl(directory));
            Connection connection = forScripts(engine).getConnection();
            connection.setAutoCommit(false);
            Sql.execute(connection, "CREATE TABLE t(x INTEGER)");
            connection.close();
            connection.close();
            assertThat(connection.isClosed()).isTrue();
            assertThat(Sql.query(engine.dataSource(), "SELECT to_regclass('t')"))
                    .isNull();
        }
    }

    private static DataSource forReading(Engine engine) {
        return EngineConnections.forReading(engine, DatabaseSupport.of(engine.url()));
    }

    private static DataSource forScripts(Engine engine) {
        return EngineConnections.forScripts(engine, DatabaseSupport.of(engine.url()));
    }
}
