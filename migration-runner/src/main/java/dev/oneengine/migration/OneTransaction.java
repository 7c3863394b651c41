package dev.oneengine.migration;

import dev.oneengine.cache.AccessMode;
import dev.oneengine.cache.Admission;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.internal.SqlTokens;
import dev.oneengine.cache.internal.SqlTokens.Dialect;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One transaction for all that Flyway does in a run: scripts, callbacks, and the history table itself. By itself Flyway uses
 * several connections, which on SQLite wait for each other in vain; it leaves an empty history table behind when the first run
 * fails; and it commits half a run when a migration throws an {@link Error}, as it switches to auto-commit then.
 *
 * <p>Flyway gets the same connection as often as it asks. Beginning, committing and closing are without effect on it; rolling
 * back undoes all, as PostgreSQL takes no statement after a failure before that. For one thread.
 */
final class OneTransaction extends ConnectionSource implements AutoCloseable {
    /** The name of this library in letters, as a number: whoever else locks in this database should not use the same. */
    private static final long LOCK = 0x6f6e65656e67696eL;

    /** A savepoint that is gone at the end if the transaction is another one then. */
    private static final String WHOLE = "one_engine_run";

    private static final String ENDED =
            "a migration has committed or rolled back the transaction that all migrations of a "
                    + "run share; remove that from it, or give each a transaction of its own by "
                    + "configure(flyway -> flyway.group(false))";

    private static final Set<String> ENDS = Set.of("COMMIT", "END", "ABORT", "ROLLBACK");

    private final Admission admission;
    private final Connection connection;

    /** What a pool or a proxy would give to the next user of the session. */
    private final SessionSettings session;

    private final Progress progress;

    /** Whether a migration has rolled back what is not its own. */
    private boolean ended;

    private OneTransaction(Admission admission, Connection connection, SessionSettings session, Progress progress) {
        this.admission = admission;
        this.connection = connection;
        this.session = session;
        this.progress = progress;
    }

    /**
     * Begins the transaction. On SQLite it waits for its turn among the other writers, on PostgreSQL for others that migrate the
     * same database: Flyway's own lock would be tried once a second only.
     *
     * @param lockTimeout how long it waits
     * @param progress knows what Flyway is busy with
     */
    static OneTransaction begin(Engine engine, Duration lockTimeout, Progress progress) throws SQLException {
        Admission admission = engine.enter(AccessMode.WRITE, lockTimeout);
        return Undo.onFailure(admission::close, () -> {
            Connection connection = EngineConnections.forMigrating(engine).getConnection();
            return Undo.onFailure(connection::close, () -> {
                admission.lend(connection);
                connection.setAutoCommit(false);
                SessionSettings session =
                        engine.url().kind() == Kind.POSTGRESQL ? lock(connection, lockTimeout) : SessionSettings.none();
                execute(connection, "SAVEPOINT " + WHOLE);
                return new OneTransaction(admission, connection, session, progress);
            });
        });
    }

    private static SessionSettings lock(Connection connection, Duration lockTimeout) throws SQLException {
        // Above READ COMMITTED, a transaction does not see what another process committed during the wait for the
        // lock. Connections of another kind of pool may have another isolation.
        execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
        SessionSettings session = SessionSettings.of(connection);
        // Zero would be no limit at all.
        long millis = Math.max(1, Math.min(Integer.MAX_VALUE, Durations.nanos(lockTimeout) / 1_000_000));
        long own = lockTimeout(connection);
        execute(connection, "SET LOCAL lock_timeout = " + millis);
        execute(connection, "SELECT pg_advisory_xact_lock(" + LOCK + ")");
        // The limit holds for the scripts, too: one may wait for a lock that its own thread has elsewhere. But a
        // shorter
        // limit of the role protects the application from a script that waits, and lets others queue behind it.
        if (own > 0 && own < millis) {
            execute(connection, "SET LOCAL lock_timeout = " + own);
        }
        return session;
    }

    /** In milliseconds; 0 for no limit. */
    private static long lockTimeout(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet setting =
                        statement.executeQuery("SELECT setting FROM pg_settings WHERE name = 'lock_timeout'")) {
            setting.next();
            return setting.getLong(1);
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * Commits the run.
     *
     * @throws SQLException also if a migration has ended the transaction behind Flyway's back
     */
    void commit() throws SQLException {
        try {
            execute(connection, "RELEASE SAVEPOINT " + WHOLE);
        } catch (SQLException e) {
            throw FlywayFailures.isOfAborted(e) ? e : new SQLException(ENDED, e);
        }
        session.restore(connection);
        connection.commit();
    }

    /**
     * Tells the reason of a failure that has none of its own: what is missing, a migration has rolled back.
     *
     * @throws SQLException if that is so
     */
    void refuseIfEnded(Throwable failure) throws SQLException {
        if (ended) {
            throw new SQLException(ENDED, failure);
        }
    }

    /** Undoes what is not committed. */
    @Override
    public void close() throws SQLException {
        try (admission;
                connection) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    @Override
    public Connection getConnection() {
        return view(connection, this::rollBack);
    }

    private void rollBack() throws SQLException {
        ended |= progress.isWithinMigration();
        connection.rollback();
    }

    /** What becomes of a transaction that Flyway rolls back, and of its connection that Flyway closes. */
    @FunctionalInterface
    interface Owner {
        void rollback() throws SQLException;

        default void closed() throws SQLException {}
    }

    /** A connection whose transaction belongs to somebody else than its user. */
    static Connection view(Connection connection, Owner owner) {
        return Proxies.of(Connection.class, new View(connection, owner)::invoke);
    }

    /** What Flyway believes of one of its connections. */
    private static final class View {
        private final Connection connection;
        private final Owner owner;
        private boolean autoCommit = true;
        private boolean closed;

        View(Connection connection, Owner owner) {
            this.connection = connection;
            this.owner = owner;
        }

        @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            switch (method.getName()) {
                case "setAutoCommit" -> {
                    autoCommit = (Boolean) Objects.requireNonNull(arguments)[0];
                    return null;
                }
                case "getAutoCommit" -> {
                    return autoCommit;
                }
                case "commit" -> {
                    return null;
                }
                case "close" -> {
                    if (!closed) {
                        closed = true;
                        owner.closed();
                    }
                    return null;
                }
                case "isClosed" -> {
                    return closed;
                }
                default -> {
                    if (method.getName().equals("rollback") && arguments == null) {
                        owner.rollback();
                        return null;
                    }
                    refuseToEnd(method, arguments);
                    Object result = Proxies.call(connection, method, arguments);
                    return result instanceof Statement statement
                            ? guarded(statement, method.getReturnType(), proxy)
                            : result;
                }
            }
        }

        /** A statement that does not end the transaction, and whose connection is this view. */
        private Object guarded(Statement statement, Class<?> type, Object view) {
            return Proxies.of(type, (proxy, method, arguments) -> {
                if (method.getName().equals("getConnection")) {
                    return view;
                }
                refuseToEnd(method, arguments);
                return Proxies.call(statement, method, arguments);
            });
        }
    }

    private static void refuseToEnd(Method method, Object @Nullable [] arguments) throws SQLException {
        boolean takesSql = method.getName().startsWith("prepare")
                || method.getName().startsWith("execute")
                || method.getName().equals("addBatch");
        if (takesSql && arguments != null && arguments[0] instanceof String sql && ends(sql)) {
            throw new SQLException(ENDED);
        }
    }

    /** Whether a statement ends the transaction on either database; but a savepoint may be rolled back to. */
    private static boolean ends(String sql) {
        return Arrays.stream(Dialect.values()).anyMatch(dialect -> ends(new SqlTokens(sql, dialect)));
    }

    private static boolean ends(SqlTokens tokens) {
        if (!ENDS.contains(tokens.next())) {
            return false;
        }
        String next = tokens.next();
        boolean filler = next.equals("WORK") || next.equals("TRANSACTION");
        return !(filler ? tokens.next() : next).equals("TO");
    }
}
