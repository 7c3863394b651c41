package dev.oneengine.migration;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections for scripts that have a transaction each. After an {@link Error}, Flyway only switches to auto-commit, which would
 * commit half a migration that its history does not mention. Here that rolls back. For one thread.
 */
final class WholeTransactions extends ConnectionSource {
    private final DataSource source;
    private final Progress progress;

    WholeTransactions(DataSource source, Progress progress) {
        this.source = source;
        this.progress = progress;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return Proxies.of(Connection.class, new View(source.getConnection())::invoke);
    }

    /** One connection. */
    private final class View {
        private final Connection connection;

        /** Whether there may be statements that neither a commit nor a roll-back has followed. */
        private boolean unfinished;

        View(Connection connection) {
            this.connection = connection;
        }

        @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            switch (method.getName()) {
                case "commit", "rollback" -> unfinished = false;
                case "createStatement", "prepareStatement", "prepareCall" -> unfinished = true;
                case "setAutoCommit" -> {
                    boolean on = (Boolean) Objects.requireNonNull(arguments)[0];
                    // Flyway does the same on purpose before a script that cannot run in a transaction.
                    if (on && unfinished && !connection.getAutoCommit() && !progress.isWithoutTransaction()) {
                        connection.rollback();
                    }
                }
                default -> {
                    // Ends no transaction.
                }
            }
            return Proxies.call(connection, method, arguments);
        }
    }
}
