package dev.oneengine.migration.junit;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The migrated database of the running test, for objects that outlive a test. A Spring context, for example, is created once for
 * many tests and takes one {@link DataSource} bean. With this bean, each test method works with a separate database:
 *
 * <pre>{@code
 * @Bean
 * DataSource dataSource() {
 *     return CurrentFork.dataSource();
 * }
 * }</pre>
 *
 * <p>The test class needs {@link MigratedDatabase} or a static field with a {@link MigratedDatabaseExtension}. The database exists before
 * JUnit creates the instance of the test class, so a framework may use the database while it starts.
 *
 * <p>A thread that runs a test always reaches the database of that test. All other threads, such as those of a server under test, reach
 * the database of the only running test. They fail if JUnit runs tests in parallel, because then their test is unknown. Work in such
 * threads must end before its test ends.
 */
public final class CurrentFork {
    private static final DataSource DATA_SOURCE = new ForkSource();

    private CurrentFork() {}

    /**
     * Returns a data source that looks up the database of the running test in each call.
     *
     * @return always the same thread-safe object; its methods throw an {@link SQLException} outside of a test
     */
    public static DataSource dataSource() {
        return DATA_SOURCE;
    }

    /** Forwards each call to the data source of the running test. Thread-safe. */
    private static final class ForkSource implements DataSource {
        private static DataSource current() throws SQLException {
            return RunningTest.current().dataSource();
        }

        @Override
        public Connection getConnection() throws SQLException {
            return current().getConnection();
        }

        @Override
        public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
            return current().getConnection(user, password);
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            return current().unwrap(type);
        }

        @Override
        public boolean isWrapperFor(Class<?> type) throws SQLException {
            return current().isWrapperFor(type);
        }

        @Override
        public @Nullable PrintWriter getLogWriter() throws SQLException {
            return current().getLogWriter();
        }

        @Override
        public void setLogWriter(@Nullable PrintWriter writer) throws SQLException {
            current().setLogWriter(writer);
        }

        @Override
        public int getLoginTimeout() throws SQLException {
            return current().getLoginTimeout();
        }

        @Override
        public void setLoginTimeout(int seconds) throws SQLException {
            current().setLoginTimeout(seconds);
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            throw new SQLFeatureNotSupportedException("An engine does not log by java.util.logging");
        }

        @Override
        public String toString() {
            return "CurrentFork";
        }
    }
}
