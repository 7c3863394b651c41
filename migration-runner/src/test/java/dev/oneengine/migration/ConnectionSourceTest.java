package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.EngineCache;
import java.io.PrintWriter;
import java.io.Writer;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class ConnectionSourceTest {
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
            source.getConnection().close();
        }
    }
}
