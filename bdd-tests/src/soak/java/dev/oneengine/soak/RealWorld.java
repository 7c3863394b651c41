package dev.oneengine.soak;

import dev.oneengine.cache.Engine;
import dev.oneengine.testing.Sql;
import dev.oneengine.work.Transaction;
import dev.oneengine.work.UnitOfWork;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The library, as one thread uses it. Confined to the thread of its program. */
final class RealWorld implements World {
    /**
     * The largest number of nested transactions. Each depth has its own tables, so that no transaction waits for one
     * around it.
     */
    static final int TABLES = 3;

    private final ProgramDatabase database;

    private final Interrupts interrupts = new Interrupts();

    private final Place main;

    RealWorld(ProgramDatabase database) {
        this.database = database;
        this.main = new Place(null);
    }

    Interrupts interrupts() {
        return interrupts;
    }

    /** A database and its engine, as this thread uses them. */
    private final class Place {
        private final @Nullable UnitOfWork fork;

        /** The tables of the units of work that are open. */
        private final List<Integer> units = new ArrayList<>();

        /** The number of open transactions. */
        private int open;

        Place(@Nullable Engine fork) {
            this.fork = fork == null ? null : database.onFork(fork);
        }

        UnitOfWork work() {
            return fork == null ? database.work() : fork;
        }

        boolean isInUnit() {
            return !units.isEmpty();
        }
    }

    @Override
    public Scope outside() {
        return new Here(main, null, null, 0);
    }

    @Override
    public String state() {
        return database.state();
    }

    @Override
    public String describe(Throwable failure) {
        return Failures.describe(failure);
    }

    private void inUnit(Place place, boolean joined, Transaction tx, Body body) throws Throwable {
        int table = joined ? place.units.get(place.units.size() - 1) : place.open++;
        if (!joined) {
            place.units.add(table);
        }
        try {
            body.run(new Here(place, tx, tx.connection(), table));
        } finally {
            if (!joined) {
                place.units.remove(place.units.size() - 1);
                place.open--;
            }
        }
    }

    /** Records whether a failed step had begun. */
    private static final class Entry implements Body {
        private final Body body;
        private boolean entered;

        Entry(Body body) {
            this.body = body;
        }

        @Override
        public void run(Scope scope) throws Throwable {
            entered = true;
            body.run(scope);
        }
    }

    /** A place in a program. */
    private final class Here implements Scope {
        private final Place place;
        private final @Nullable Transaction tx;
        private final @Nullable Connection connection;
        private final int table;

        Here(Place place, @Nullable Transaction tx, @Nullable Connection connection, int table) {
            this.place = place;
            this.tx = tx;
            this.connection = connection;
            this.table = table;
        }

        @Override
        public boolean isConnected() {
            return connection != null;
        }

        @Override
        public boolean isUnit() {
            return tx != null;
        }

        private Transaction tx() {
            return Objects.requireNonNull(tx);
        }

        private Connection connection() {
            return Objects.requireNonNull(connection);
        }

        @Override
        public void block(Step step, Body body) throws Throwable {
            if (!Thread.currentThread().isInterrupted()) {
                enter(step, body);
                return;
            }
            Entry entry = new Entry(body);
            boolean rejected = false;
            try {
                enter(step, entry);
            } catch (Throwable t) {
                rejected = !entry.entered && describe(t).contains(Failures.INTERRUPTED);
                throw t;
            } finally {
                interrupts.note(step, rejected);
            }
        }

        private void enter(Step step, Body body) throws Throwable {
            boolean joined = place.isInUnit();
            switch (step.kind()) {
                case RUN -> place.work().run(unit -> sneakily(() -> inUnit(place, joined, unit, body)));
                case READ ->
                    place.work().<Boolean, RuntimeException>read(unit -> {
                        sneakily(() -> inUnit(place, joined, unit, body));
                        return true;
                    });
                case BEGIN_AND_COMMIT -> {
                    try (Transaction begun = place.work().begin()) {
                        inUnit(place, joined, begun, body);
                        begun.commit();
                    }
                }
                case BEGIN_AND_CLOSE -> {
                    try (Transaction begun = place.work().begin()) {
                        inUnit(place, joined, begun, body);
                    }
                }
                case BEGIN_AND_LEAVE_OPEN -> inUnit(place, joined, place.work().begin(), body);
                case NESTED ->
                    tx().nested(inner -> sneakily(() -> body.run(new Here(place, inner, inner.connection(), table))));
                case INDEPENDENT -> tx().independent(unit -> sneakily(() -> inUnit(place, false, unit, body)));
                case AFTER_COMMIT -> tx().afterCommit(() -> sneakily(() -> body.run(new Here(place, null, null, 0))));
                case AFTER_ROLLBACK ->
                    tx().afterRollback(() -> sneakily(() -> body.run(new Here(place, null, null, 0))));
                case SAVEPOINT, SAVEPOINT_AND_BACK -> savepoint(step, body);
                case INTERRUPTED -> {
                    boolean within = Thread.currentThread().isInterrupted();
                    Thread.currentThread().interrupt();
                    try {
                        body.run(this);
                    } finally {
                        if (!Thread.interrupted()) {
                            database.report("the interrupt was lost");
                        }
                        if (within) {
                            Thread.currentThread().interrupt(); // restores the interrupt of the enclosing step
                        }
                    }
                }
                case FORK -> {
                    try (Engine fork = database.fork()) {
                        body.run(new Here(new Place(fork), null, null, 0));
                    }
                }
                case SPRING, SPRING_READ_ONLY, SPRING_ROLLBACK_ONLY -> spring(step.kind(), body);
                default -> jdbc(step.kind(), body);
            }
        }

        private void savepoint(Step step, Body body) throws Throwable {
            Savepoint savepoint = connection().setSavepoint();
            try {
                body.run(this);
            } catch (Throwable t) {
                connection().rollback(savepoint);
                throw t;
            }
            if (step.kind() == Kind.SAVEPOINT) {
                connection().releaseSavepoint(savepoint);
            } else {
                connection().rollback(savepoint);
            }
        }

        private void jdbc(Kind kind, Body body) throws Throwable {
            try (Connection own = place.work().engine().dataSource().getConnection()) {
                if (kind == Kind.JDBC_READ_ONLY) {
                    own.setReadOnly(true);
                }
                if (kind != Kind.JDBC_IN_AUTO_COMMIT) {
                    own.setAutoCommit(false);
                }
                inTransaction(own, body);
                switch (kind) {
                    case JDBC_AND_COMMIT, JDBC_READ_ONLY -> own.commit();
                    case JDBC_AND_ROLLBACK -> own.rollback();
                    case JDBC_AND_ABORT -> abort(own);
                    case JDBC_AND_AUTO_COMMIT -> own.setAutoCommit(true);
                    default -> {}
                }
            }
        }

        /** HikariCP fails to close an aborted connection. */
        private void abort(Connection own) throws SQLException {
            own.abort(Runnable::run);
            try {
                own.close();
            } catch (SQLException e) {
                if (!describe(e).equals(Failures.LOST)) {
                    throw e;
                }
            }
        }

        private void spring(Kind kind, Body body) {
            JdbcTransactionManager manager =
                    new JdbcTransactionManager(place.work().engine().dataSource());
            TransactionTemplate template = new TransactionTemplate(manager);
            template.setReadOnly(kind == Kind.SPRING_READ_ONLY);
            template.executeWithoutResult(status -> {
                Connection own = DataSourceUtils.getConnection(Objects.requireNonNull(manager.getDataSource()));
                sneakily(() -> inTransaction(own, body));
                if (kind == Kind.SPRING_ROLLBACK_ONLY) {
                    status.setRollbackOnly();
                }
            });
        }

        private void inTransaction(Connection own, Body body) throws Throwable {
            int mine = place.open++;
            try {
                body.run(new Here(place, null, own, mine));
            } finally {
                place.open--;
            }
        }

        @Override
        public @Nullable String leaf(Step step) throws Throwable {
            int number = step.number();
            switch (step.kind()) {
                case SET_ROLLBACK_ONLY -> tx().setRollbackOnly();
                case CALL_COMMIT -> connection().commit();
                case CALL_ROLLBACK -> connection().rollback();
                case CALL_CLOSE -> connection().close();
                case SQL_COMMIT -> Sql.execute(connection(), "COMMIT");
                case SQL_QUERY_ONLY -> Sql.execute(connection(), "PRAGMA query_only = 1");
                case SQL_ROLLBACK -> Sql.execute(connection(), "/* no */ ROLLBACK");
                case KILL -> database.kill(Sql.query(connection(), "SELECT pg_backend_pid()"));
                case EVICT -> database.evict();
                case CLOSE_CACHE -> database.closeCache();
                case FAIL_TO_OPEN -> {
                    return describe(database.failToOpen(number));
                }
                case FAIL_TO_PREPARE -> {
                    return database.failToPrepare(number);
                }
                case MIGRATE, MIGRATE_AND_FAIL -> {
                    return database.migrate(number, step.kind() == Kind.MIGRATE_AND_FAIL);
                }
                case LOOK -> {
                    String flags = tx == null
                            ? ""
                            : ", rollback only " + tx.isRollbackOnly() + ", read-only " + tx.isReadOnly();
                    return look() + flags;
                }
                case UPDATE -> {
                    return update("UPDATE t" + table + " SET name = name || '+' WHERE id = " + number);
                }
                case ADD_ONE -> addOne(number);
                case DELETE -> {
                    return update("DELETE FROM t" + table + " WHERE id = " + number);
                }
                default -> insert(step.kind(), number);
            }
            return null;
        }

        private void insert(Kind kind, int number) throws SQLException {
            String into = " INTO t" + table + " VALUES (" + number + ", 'a')";
            switch (kind) {
                case INSERT -> Sql.execute(connection(), "INSERT" + into);
                case INSERT_PREPARED -> {
                    String sql = "INSERT INTO t" + table + " VALUES (?, ?)";
                    try (PreparedStatement statement = connection().prepareStatement(sql)) {
                        statement.setInt(1, number);
                        statement.setString(2, "a");
                        statement.executeUpdate();
                    }
                }
                case INSERT_IN_BATCH -> {
                    try (Statement statement = connection().createStatement()) {
                        statement.addBatch("DELETE FROM t" + table + " WHERE id = -1");
                        statement.addBatch("INSERT" + into);
                        statement.executeBatch();
                    }
                }
                case INSERT_BY_DATA_SOURCE -> Sql.execute(tx().dataSource(), "INSERT" + into);
                case INSERT_OR_ROLLBACK -> Sql.execute(connection(), "INSERT OR ROLLBACK" + into);
                case INSERT_ORPHAN -> Sql.execute(connection(), orphan("c", number));
                case INSERT_ORPHAN_FOR_COMMIT -> Sql.execute(connection(), orphan("l", number));
                case WRONG_SQL -> Sql.execute(connection(), "THIS IS NO SQL");
                default -> database.conflict(connection());
            }
        }

        /**
         * Reads the shared number and writes it plus one. No other thread may write the number in between. Counts the
         * addition in a row of this thread.
         */
        private void addOne(int number) throws SQLException {
            String before = Sql.query(connection(), "SELECT n FROM shared");
            Sql.execute(connection(), "UPDATE shared SET n = " + before + " + 1");
            if (update("UPDATE t0 SET name = name || '+' WHERE id = " + number).startsWith("0")) {
                Sql.execute(connection(), "INSERT INTO t0 VALUES (" + number + ", '+')");
            }
        }

        private String orphan(String kind, int number) {
            return "INSERT INTO " + kind + table + " VALUES (" + number + ", -1)";
        }

        private String update(String sql) throws SQLException {
            try (Statement statement = connection().createStatement()) {
                return statement.executeUpdate(sql) + " rows";
            }
        }

        /** Reads the table of this transaction, and the committed rows of the outermost transaction's table. */
        private String look() throws SQLException {
            Map<String, String> rows = new TreeMap<>();
            ProgramDatabase.read(connection(), "t" + table, rows);
            if (table > 0) {
                ProgramDatabase.read(connection(), "t0", rows);
            }
            return (place.fork == null ? database.own(rows) : rows).toString();
        }
    }

    private interface Action {
        void run() throws Throwable;
    }

    private static void sneakily(Action action) {
        try {
            action.run();
        } catch (Throwable t) {
            throw Planned.<RuntimeException>sneaky(t);
        }
    }
}
