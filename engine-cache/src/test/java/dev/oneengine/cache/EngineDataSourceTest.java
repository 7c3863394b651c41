package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteDataSource;

class EngineDataSourceTest {
    private final DataSource pool = new SQLiteDataSource();
    private final DataSource dataSource = new EngineDataSource(DatabaseUrl.parse("sqlite://"), pool, () -> false);

    @Test
    void the_log_writer_is_set_on_the_pool() throws SQLException {
        PrintWriter writer = new PrintWriter(new StringWriter());

        dataSource.setLogWriter(writer);

        assertThat(pool.getLogWriter()).isSameAs(writer);
        assertThat(dataSource.getLogWriter()).isSameAs(writer);
    }
}
