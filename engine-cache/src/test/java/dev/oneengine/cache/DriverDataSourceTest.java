package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.testing.Proxies;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DriverDataSourceTest {
    private final List<Opened> opened = new ArrayList<>();
    private final AccessQueue queue = new AccessQueue("the database", false, 1);
    private final Properties properties = new Properties();
    private final DriverDataSource dataSource = new DriverDataSource(
            (url, copy) -> url.isEmpty() ? null : Opened.by(this, url, copy), "jdbc:some", properties, queue);

    /** A connection that records the calls on it. */
    private static final class Opened {
        final String url;
        final Properties properties;
        final Connection connection;

        @Nullable SQLException failure;

        boolean closed;
        boolean aborted;

        private Opened(String url, Properties properties) {
            this.url = url;
            this.properties = properties;
            this.connection = Proxies.of(Connection.class, (self, method, arguments) -> {
                switch (method.getName()) {
                    case "close" -> closed = true;
                    case "abort" -> {
                        aborted = true;
                        ((Executor) arguments[0]).execute(() -> closed = true);
                    }
                    case "isClosed" -> {
                        if (failure == null) {
                            return closed;
                        }
                    }
                    case "hashCode" -> {
                        return System.identityHashCode(self);
                    }
                    case "equals" -> {
                        return self == arguments[0];
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                }
                if (failure != null) {
                    throw failure;
                }
                return null;
            });
        }

        static Connection by(DriverDataSourceTest test, String url, Properties properties) {
            Opened opened = new Opened(url, properties);
            test.opened.add(opened);
            return opened.connection;
        }
    }

    @Test
    void each_connection_has_the_properties_and_cannot_change_them() throws SQLException {
        properties.setProperty("user", "joe");

        dataSource.getConnection();

        assertThat(opened.get(0).url).isEqualTo("jdbc:some");
        assertThat(opened.get(0).properties).isEqualTo(properties).isNotSameAs(properties);
    }

    @Test
    void a_driver_that_does_not_support_the_url_is_reported() {
        assertThatThrownBy(() -> dataSource.rehearse("")).hasMessageContaining("does not support");
    }

    @Test
    void the_next_caller_gets_the_connection_that_was_opened_early() throws SQLException {
        dataSource.connectEarly();
        assertThat(opened).hasSize(1);

        assertThat(dataSource.getConnection()).isSameAs(opened.get(0).connection);
        assertThat(dataSource.getConnection()).isNotSameAs(opened.get(0).connection);
        assertThat(opened).hasSize(2);
    }

    @Test
    void a_rehearsal_closes_its_connection() throws SQLException {
        dataSource.rehearse("jdbc:other");

        assertThat(opened.get(0).url).isEqualTo("jdbc:other");
        assertThat(opened.get(0).closed).isTrue();
    }

    @Test
    void stopping_a_data_source_ends_queued_waits_and_rejects_new_connections() throws Exception {
        assertThat(dataSource.isClosed()).isFalse();
        assertThat(dataSource.queue).isSameAs(queue);
        queue.leave(Objects.requireNonNull(queue.enter(true, Duration.ZERO, () -> false)));

        dataSource.stop();

        assertThat(dataSource.isClosed()).isTrue();
        assertThatThrownBy(dataSource::getConnection).hasMessageContaining("closed");
        assertThat(opened.get(0).closed).isTrue();
        assertThatThrownBy(() -> queue.enter(true, Duration.ZERO, () -> false)).isInstanceOf(SQLException.class);
    }

    @Test
    void closing_stops_the_data_source_and_aborts_each_open_connection() throws SQLException {
        dataSource.getConnection();
        dataSource.getConnection().close();
        dataSource.getConnection(); // removes the closed connection from the list of open ones

        dataSource.close();

        assertThat(opened).extracting(one -> one.aborted).containsExactly(true, false, true);
        assertThat(opened).allMatch(one -> one.closed);
        assertThat(dataSource.isClosed()).isTrue();
    }

    @Test
    void a_connection_that_cannot_be_closed_is_reported_and_the_others_are_closed() throws SQLException {
        for (int i = 0; i < 3; i++) {
            dataSource.getConnection();
        }
        SQLException failure = new SQLException("broken");
        opened.get(1).failure = failure;
        dataSource.getConnection(); // the broken connection cannot report whether it is closed

        assertThatThrownBy(dataSource::close).isSameAs(failure);

        assertThat(opened).allMatch(one -> one.aborted);
    }
}
