package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
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

class ConnectionSourceTest {
    @TempDir
    Path directory;

    @Test
    void it_has_connections_and_nothing_else() throws SQLException {
        try (EngineCache cache = EngineCache.create()) {
            DataSource source = EngineConnections.forReading(cache.engine("sqlite:///:memory:"));
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

    @ParameterizedTest
    @EnumSource(Database.class)
    void connections_for_reading_cannot_write(Database database) throws SQLException {
        String url = database.url(directory);
        try (EngineCache cache = EngineCache.create()) {
            List<DataSource> sources = new ArrayList<>(List.of(EngineConnections.forReading(cache.engine(url))));
            if (database == Database.FILE) {
                sources.add(new UnopenedFile(DatabaseUrl.parse(url), Duration.ofSeconds(1)));
            }
            for (DataSource source : sources) {
                assertThatThrownBy(() -> Sql.execute(source, "CREATE TABLE t(x INTEGER)"))
                        .isInstanceOf(SQLException.class)
                        .message()
                        .containsAnyOf("read-only", "readonly");
            }
        }
    }
}
