package dev.oneengine.migration;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections for a run in which each script has its own transaction. After an {@link Error}, Flyway only switches to auto-commit, which
 * would commit half a migration without a row in the history. Here that rolls back. Confined to its thread.
 */
final class ScriptTransactions extends ConnectionOnlyDataSource {
    private final DataSource source;
    private final Progress progress;

    ScriptTransactions(DataSource source, Progress progress) {
        this.source = source;
        this.progress = progress;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return Jdbc.proxy(Connection.class, new View(source.getConnection())::invoke);
    }

    /** One connection. Confined to its thread. */
    private final class View {
        private final Connection connection;

        /** Whether statements may have run since the last commit or rollback. */
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
                    // Before a script that cannot run in a transaction, Flyway switches on purpose.
                    if (on && unfinished && !connection.getAutoCommit() && !progress.isWithoutTransaction()) {
                        connection.rollback();
                    }
                }
                default -> {
                    // Ends no transaction.
                }
            }
            return Jdbc.call(connection, method, arguments);
        }
    }
}
