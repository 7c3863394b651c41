package dev.oneengine.soak;

import dev.oneengine.testing.Database;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The reference that programs are compared with: it keeps the promises of the library on maps instead of databases. It
 * predicts neither times nor the effects of concurrent threads. Confined to its thread.
 */
final class Model implements World {
    private final Program program;

    private final Interrupts interrupts;

    private final Place main;

    /** The number of engines created for the main database. */
    private int engines;

    private boolean engineIsOpen;

    /** Whether the thread is interrupted. */
    private boolean interrupted;

    Model(Program program, Interrupts interrupts) {
        this.program = program;
        this.interrupts = interrupts;
        this.main = new Place(program.database(), false);
    }

    /** A failure that the library is expected to throw. */
    private static final class Predicted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Predicted(String text, @Nullable Throwable cause) {
            super(text, cause, false, false);
        }
    }

    private static Predicted failure(String name, @Nullable Throwable cause) {
        return new Predicted(name + "(" + text(cause) + ")", cause);
    }

    private static Predicted transaction(@Nullable Throwable cause) {
        return failure("Transaction", cause);
    }

    private static Predicted sql(String what) {
        return new Predicted(what, null);
    }

    /** A prediction that any failure matches. */
    private static Predicted any() {
        return new Predicted("?", null);
    }

    private static String text(@Nullable Throwable failure) {
        return failure instanceof Predicted ? String.valueOf(failure.getMessage()) : Failures.describe(failure);
    }

    @Override
    public String describe(Throwable failure) {
        return text(failure);
    }

    private static boolean isConflict(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            String text = text(t);
            if (text.startsWith(Failures.AFTER_COMMIT)) {
                return false;
            }
            if (text.equals(Failures.CONFLICT)) {
                return true;
            }
        }
        return false;
    }

    /** A database and its engine, as this thread uses them. */
    private static final class Place {
        private final Database database;
        private final Map<String, String> rows = new TreeMap<>();

        /** The units of work that are open, from the outermost to the innermost. */
        private final List<Unit> units = new ArrayList<>();

        /** The transactions that are open; each holds a connection, and has its own tables. */
        private final List<Tx> open = new ArrayList<>();

        /** The changes committed since a step began. */
        private final List<Commit> commits = new ArrayList<>();

        private final boolean fork;
        private int version = 1;

        Place(Database database, boolean fork) {
            this.database = database;
            this.fork = fork;
        }

        boolean isPostgres() {
            return database == Database.POSTGRESQL;
        }

        /** Gives a transaction its turn in the queue of SQLite, if it needs one. */
        void enter(Tx tx, boolean write) {
            boolean queues = database == Database.MEMORY || (database == Database.FILE && write);
            for (Tx other : open) {
                if (queues && other != tx && other.hasTurn && (write || other.writes)) {
                    throw sql("would wait for itself");
                }
            }
            tx.hasTurn = queues;
            tx.writes = write;
        }
    }

    /** A transaction, of a unit of work or of another tool. */
    private static class Tx {
        final Place place;
        final int table;
        boolean readOnly;
        boolean autoCommit;
        boolean ofSpring;
        boolean begun;
        boolean hasTurn;
        boolean writes;
        Map<String, @Nullable String> changes = new HashMap<>();

        /** PostgreSQL rejects all statements after a failed one. */
        boolean aborted;

        /** The failure that aborted the transaction. */
        @Nullable Throwable first;

        /** A constraint that the commit checks is violated. */
        boolean late;

        /** The connection is broken. */
        boolean dead;

        /** The engine is closed. */
        boolean closed;

        /** SQLite has rolled it back by itself. */
        boolean lost;

        /** The user's SQL has made the connection of SQLite read-only until it returns to the pool. */
        boolean queryOnly;

        Tx(Place place) {
            this.place = place;
            this.table = place.open.size();
            if (table >= RealWorld.TABLES) {
                throw new Undefined("there are no tables for so many transactions");
            }
        }

        @Nullable String value(String key) {
            return changes.containsKey(key) ? changes.get(key) : place.rows.get(key);
        }

        void commit() {
            Commit commit = new Commit(table == 0, new HashMap<>(changes));
            commit.applyTo(place.rows);
            place.commits.add(commit);
        }

        Save save() {
            return new Save(new HashMap<>(changes), aborted, first, late);
        }

        void restore(Save save) {
            changes = new HashMap<>(save.changes);
            aborted = save.aborted;
            first = save.first;
            late = save.late;
        }

        /** A statement fails because an earlier one failed; the driver of PostgreSQL names the earlier one. */
        Predicted failAborted() {
            return new Predicted("aborted", first);
        }

        /** A statement fails. */
        Predicted fail(String what) {
            Predicted failure = sql(what);
            if (place.isPostgres() && !autoCommit) {
                aborted = true;
                if (first == null) {
                    first = failure;
                }
            }
            return failure;
        }
    }

    /** The changes of a transaction, outermost or nested. */
    private record Commit(boolean outermost, Map<String, @Nullable String> changes) {
        void applyTo(Map<String, String> rows) {
            changes.forEach((key, value) -> {
                if (value == null) {
                    rows.remove(key);
                } else {
                    rows.put(key, value);
                }
            });
        }
    }

    /** The state that a rollback to a savepoint restores. */
    private record Save(
            Map<String, @Nullable String> changes,
            boolean aborted,
            @Nullable Throwable first,
            boolean late) {}

    private static final class Unit extends Tx {
        private Level level = new Level(null);
        private final List<Hook> hooks = new ArrayList<>();

        Unit(Place place) {
            super(place);
        }

        void doomAll(Throwable reason) {
            for (Level any = level; any != null; any = any.outer) {
                any.doom(this, reason);
            }
        }

        void rolledBackTo(int size) {
            List<Hook> since = hooks.subList(size, hooks.size());
            since.removeIf(hook -> hook.ofCommit);
            since.forEach(hook -> hook.always = true);
        }
    }

    private static final class Level {
        private final @Nullable Level outer;
        private @Nullable Throwable failure;
        private boolean rollbackAsked;
        private int openParts;

        Level(@Nullable Level outer) {
            this.outer = outer;
        }

        /**
         * If PostgreSQL has already aborted the transaction, the exception may name the earlier failure or this one.
         */
        void doom(Tx tx, Throwable reason) {
            Throwable first = tx.first;
            if (failure == null && first != null && !text(first).equals(text(reason))) {
                require(isConflict(first) == isConflict(reason), "it may be tried again or not");
                failure = any();
            } else if (failure == null) {
                failure = reason;
            }
        }
    }

    private static final class Hook {
        private final Runnable action;
        private final boolean ofCommit;
        private boolean always;

        Hook(Runnable action, boolean ofCommit) {
            this.action = action;
            this.ofCommit = ofCommit;
        }
    }

    @Override
    public Scope outside() {
        return new Here(main, null, null, false);
    }

    @Override
    public String state() {
        if (main.database == Database.MEMORY) {
            open(main); // only an engine can read a database in memory
        }
        return "rows " + main.rows + ", engines " + engines;
    }

    /** The committed rows. */
    Map<String, String> rows() {
        return new TreeMap<>(main.rows);
    }

    /** Replaces the rows by those that the database has. */
    void become(Map<String, String> rows) {
        main.rows.clear();
        main.rows.putAll(rows);
        main.commits.clear();
    }

    /**
     * Whether the last step may have left these rows if other threads made it fail. Each of its transactions may be
     * committed, but only as a whole. The outermost one is committed before its after-commit hooks run.
     *
     * @param before the rows before the step
     * @param committed whether the outermost transaction was committed, or {@code null} if that is not known
     */
    boolean mayLeave(Map<String, String> rows, Map<String, String> before, @Nullable Boolean committed) {
        int outermost = 0;
        while (outermost < main.commits.size() && !main.commits.get(outermost).outermost) {
            outermost++;
        }
        boolean none = committed == null || !committed;
        if (none && leaves(main.commits.subList(0, outermost), before, rows, null)) {
            return true;
        }
        return (committed == null || committed)
                && outermost < main.commits.size()
                && leaves(main.commits, before, rows, main.commits.get(outermost));
    }

    /**
     * Whether some subset of the commits turns the old rows into the new ones. A certain commit is part of every
     * subset.
     */
    private static boolean leaves(
            List<Commit> commits, Map<String, String> before, Map<String, String> after, @Nullable Commit certain) {
        if (commits.isEmpty()) {
            return before.equals(after);
        }
        List<Commit> rest = commits.subList(1, commits.size());
        Map<String, String> changed = new TreeMap<>(before);
        commits.get(0).applyTo(changed);
        return leaves(rest, changed, after, certain)
                || (!commits.get(0).equals(certain) && leaves(rest, before, after, certain));
    }

    private void open(Place place) {
        if (place == main && !engineIsOpen) {
            require(!interrupted, "opening an engine may fail");
            engineIsOpen = true;
            engines++;
        }
    }

    /** Closes the engine of the main database, and with it all open transactions. */
    private void closeEngine() {
        if (engineIsOpen) {
            engineIsOpen = false;
            for (Tx tx : main.open) {
                tx.dead = true;
                tx.closed = true;
            }
            if (main.database == Database.MEMORY) {
                main.rows.clear();
                for (int version = 2; version <= main.version; version++) {
                    main.rows.put("t2/" + (1000 + version), "script"); // by the preparation of the next engine
                }
            }
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new Undefined(what);
        }
    }

    /** Takes a connection from the pool. */
    private void connect(Place place) {
        if (place.open.size() >= program.poolSize()) {
            require(place.isPostgres(), "on SQLite, extra connections are opened outside the pool");
            require(!place.fork, "a fork has a pool of the default size");
            throw sql(Failures.POOL);
        }
    }

    private void runAttempts(Place place, boolean reading, boolean rejected, Body body) throws Throwable {
        for (int attempt = 1; ; attempt++) {
            Unit unit = null;
            boolean committed;
            try {
                unit = begin(place, reading, rejected);
                try {
                    body.run(new Here(place, unit, unit.level, false));
                } finally {
                    place.open.remove(unit);
                }
                committed = complete(unit);
            } catch (Throwable t) {
                Undefined.letThrough(t);
                if (unit != null) {
                    place.units.remove(unit);
                }
                require(
                        unit == null || unit.first == null || isConflict(unit.first) == isConflict(t),
                        "the driver may name the first failure as the cause, so it may be tried again or not");
                if (isConflict(t) && attempt < program.attempts() && !interrupted) {
                    require(unit == null || !unit.closed, "it is tried again on a closed engine");
                    continue;
                }
                if (unit == null) {
                    throw t;
                }
                Throwable thrown = ofRollback(t);
                runHooks(unit, false, thrown);
                throw thrown;
            }
            place.units.remove(unit);
            runHooks(unit, committed, null);
            return;
        }
    }

    private Unit begin(Place place, boolean reading, boolean rejected) {
        require(place.open.stream().noneMatch(tx -> tx.dead), "the engine or a connection is gone");
        if (rejected) {
            throw transaction(sql(Failures.INTERRUPTED));
        }
        Unit unit = new Unit(place);
        unit.readOnly = reading;
        try {
            place.enter(unit, !reading);
            connect(place);
        } catch (Predicted e) {
            throw transaction(e);
        }
        unit.begun = true;
        place.open.add(unit);
        place.units.add(unit);
        return unit;
    }

    private boolean complete(Unit unit) {
        rejectOpenParts(unit);
        Level level = unit.level;
        if (level.failure != null) {
            throw failure("RollbackOnly", level.failure);
        }
        if (unit.aborted) {
            require(!level.rollbackAsked, "both is right: it was rolled back as asked, and because of a failure");
            throw failure("RollbackOnly", unit.first);
        }
        if (level.rollbackAsked) {
            require(!unit.dead, "rolling back may fail");
            return false;
        }
        if (unit.dead) {
            throw any();
        }
        if (unit.late) {
            throw transaction(sql("constraint"));
        }
        unit.commit();
        return true;
    }

    private static void rejectOpenParts(Unit unit) {
        if (unit.level.openParts > 0) {
            unit.level.doom(unit, transaction(null));
        }
    }

    private void runHooks(Unit unit, boolean committed, @Nullable Throwable failure) {
        Throwable trouble = null;
        for (Hook hook : unit.hooks) {
            if (hook.always || hook.ofCommit == committed) {
                try {
                    hook.action.run();
                } catch (Throwable t) {
                    Undefined.letThrough(t);
                    if (trouble == null) {
                        trouble = t;
                    }
                }
            }
        }
        if (trouble != null && failure == null) {
            throw failure(committed ? Failures.AFTER_COMMIT : "Transaction", trouble);
        }
    }

    private void beginByHand(Place place, boolean rejected, Step step, Body body) throws Throwable {
        require(step.kind() != Kind.BEGIN_AND_LEAVE_OPEN, "whatever follows would join it");
        Unit unit = begin(place, false, rejected);
        boolean committed = false;
        try {
            try {
                body.run(new Here(place, unit, unit.level, false));
            } finally {
                place.open.remove(unit);
            }
            if (step.kind() == Kind.BEGIN_AND_COMMIT) {
                committed = complete(unit);
            } else {
                require(!unit.dead, "rolling back may fail");
            }
        } catch (Throwable t) {
            Undefined.letThrough(t);
            place.units.remove(unit);
            runHooks(unit, false, t);
            throw t;
        }
        place.units.remove(unit);
        runHooks(unit, committed, null);
    }

    /** The exception of a rolled-back unit must not suggest that the unit was committed. */
    private static Throwable ofRollback(Throwable failure) {
        if (text(failure).startsWith(Failures.AFTER_COMMIT)) {
            return transaction(failure);
        }
        return failure;
    }

    private void rejectJoining(Unit unit, boolean reading) {
        if (unit.closed) {
            open(main);
            throw transaction(null);
        }
        require(!unit.dead, "a connection is gone");
        require(!unit.lost, "SQLite has rolled back");
        if (unit.readOnly && !reading) {
            throw transaction(null);
        }
    }

    private void join(Unit unit, boolean reading, Body body) throws Throwable {
        rejectJoining(unit, reading);
        Level level = unit.level;
        boolean restrict = reading && !unit.readOnly;
        Save save = unit.save();
        level.openParts++;
        try {
            if (restrict && unit.aborted) {
                throw transaction(unit.failAborted());
            }
            unit.readOnly |= restrict;
            body.run(new Here(unit.place, unit, level, true));
            if (restrict) {
                unrestrict(unit, save);
            }
        } catch (Throwable t) {
            Undefined.letThrough(t);
            Throwable failure = ofRollback(t);
            level.doom(unit, failure);
            if (restrict && unit.readOnly) {
                unrestrict(unit, save);
            }
            throw failure;
        } finally {
            level.openParts--;
        }
    }

    private static void unrestrict(Unit unit, Save save) {
        require(!unit.dead, "a connection is gone");
        unit.readOnly = false;
        if (unit.place.isPostgres()) {
            unit.restore(save);
        }
    }

    private void joinByHand(Unit unit, Step step, Body body) throws Throwable {
        rejectJoining(unit, false);
        Level level = unit.level;
        level.openParts++;
        boolean close = step.kind() != Kind.BEGIN_AND_LEAVE_OPEN;
        try {
            body.run(new Here(unit.place, unit, level, true));
            if (step.kind() == Kind.BEGIN_AND_COMMIT) {
                level.openParts--;
                close = false;
            }
        } finally {
            if (close) {
                level.openParts--;
                level.doom(unit, transaction(null));
            }
        }
    }

    private void nest(Unit unit, Body body) throws Throwable {
        require(!unit.dead && !unit.lost, "there can be no savepoint");
        if (unit.aborted) {
            throw transaction(unit.failAborted());
        }
        Save save = unit.save();
        int hooksBefore = unit.hooks.size();
        Level inner = new Level(unit.level);
        unit.level = inner;
        try {
            body.run(new Here(unit.place, unit, inner, false));
            rejectOpenParts(unit);
        } catch (Throwable t) {
            Undefined.letThrough(t);
            Throwable thrown = ofRollback(t);
            rollBackTo(unit, inner, save, hooksBefore, thrown);
            throw thrown;
        }
        Throwable failure = inner.failure;
        if (failure == null && unit.aborted) {
            require(!inner.rollbackAsked, "both is right: it was rolled back as asked, and because of a failure");
            failure = unit.first;
        }
        if (failure != null) {
            Predicted e = failure("RollbackOnly", failure);
            rollBackTo(unit, inner, save, hooksBefore, e);
            throw e;
        }
        if (inner.rollbackAsked) {
            require(!unit.dead, "rolling back fails");
            rollBackTo(unit, inner, save, hooksBefore, null);
        } else if (unit.dead) {
            Predicted e = any();
            rollBackTo(unit, inner, save, hooksBefore, e);
            throw e;
        } else {
            unit.level = unit.level.outer == null ? unit.level : unit.level.outer;
        }
    }

    private static void rollBackTo(Unit unit, Level inner, Save save, int hooksBefore, @Nullable Throwable failure) {
        unit.level = inner.outer == null ? inner : inner.outer;
        unit.rolledBackTo(hooksBefore);
        if (failure != null && (unit.dead || unit.lost)) {
            unit.doomAll(failure);
        } else {
            unit.restore(save);
        }
    }

    private void otherTool(Place place, boolean rejected, Step step, Body body) throws Throwable {
        require(place.open.stream().noneMatch(tx -> tx.dead), "the engine or a connection is gone");
        if (rejected) {
            throw sql(Failures.INTERRUPTED);
        }
        boolean spring = isSpring(step.kind());
        require(
                !spring || place.open.stream().noneMatch(other -> other.ofSpring),
                "Spring would join its own transaction");
        connect(place);
        Tx tx = new Tx(place);
        tx.readOnly = step.kind() == Kind.JDBC_READ_ONLY || step.kind() == Kind.SPRING_READ_ONLY;
        tx.autoCommit = step.kind() == Kind.JDBC_IN_AUTO_COMMIT;
        tx.ofSpring = spring;
        place.open.add(tx);
        try {
            body.run(new Here(place, tx, null, false));
        } catch (Throwable t) {
            Undefined.letThrough(t);
            requireNoticed(tx);
            throw spring && tx.dead ? any() : t; // Spring replaces it by the failure of its rollback
        } finally {
            place.open.remove(tx);
        }
        requireNoticed(tx);
        switch (step.kind()) {
            case JDBC_IN_AUTO_COMMIT -> {}
            case JDBC_AND_CLOSE -> require(!tx.dead || tx.closed, "rolling back may fail");
            case JDBC_AND_ROLLBACK, JDBC_AND_ABORT, SPRING_ROLLBACK_ONLY -> require(!tx.dead, "it may fail");
            default -> commit(tx);
        }
    }

    /** A return in auto-commit mode sends nothing, so the pool may lend a dead connection again. */
    private static void requireNoticed(Tx tx) {
        require(!tx.autoCommit || !tx.dead || tx.closed, "the pool may not have noticed");
    }

    private static boolean isSpring(Kind kind) {
        return kind == Kind.SPRING || kind == Kind.SPRING_READ_ONLY || kind == Kind.SPRING_ROLLBACK_ONLY;
    }

    private static void commit(Tx tx) {
        if (tx.dead) {
            require(tx.begun, "it may not even notice");
            throw any();
        }
        if (tx.aborted) {
            return; // PostgreSQL rolls it back, and its driver does not say so
        }
        if (tx.lost) {
            throw sql("rolled back by SQLite");
        }
        if (tx.late) {
            throw sql("constraint");
        }
        tx.commit();
    }

    private static void savepoint(Tx tx, Step step, Here here, Body body) throws Throwable {
        require(!tx.dead && !tx.lost && !tx.autoCommit, "there can be no savepoint");
        touch(tx, !tx.readOnly);
        if (tx.aborted) {
            throw tx.failAborted();
        }
        Save save = tx.save();
        try {
            body.run(here);
        } catch (Throwable t) {
            Undefined.letThrough(t);
            require(!tx.dead && !tx.lost, "rolling back fails");
            tx.restore(save);
            throw t;
        }
        require(!tx.dead && !tx.lost, "there is no savepoint any more");
        if (step.kind() == Kind.SAVEPOINT_AND_BACK) {
            tx.restore(save);
        } else if (tx.aborted) {
            throw tx.failAborted();
        }
    }

    /** Begins the transaction of another tool with its first statement. */
    private static void touch(Tx tx, boolean write) {
        if (tx.autoCommit) {
            tx.place.enter(tx, write);
            tx.hasTurn = false;
        } else if (!tx.begun) {
            tx.place.enter(tx, !tx.readOnly);
            tx.begun = true;
        }
    }

    private @Nullable String statement(Tx tx, Step step) {
        if (tx.dead) {
            require(step.kind() != Kind.SQL_CONFLICT, "it is a conflict or not, so it may be tried again or not");
            throw any();
        }
        require(!tx.lost, "SQLite has rolled back");
        Kind kind = step.kind();
        boolean write = kind != Kind.LOOK && kind != Kind.WRONG_SQL && kind != Kind.SQL_CONFLICT;
        if (kind == Kind.WRONG_SQL && !tx.place.isPostgres()) {
            try {
                touch(tx, true);
            } catch (Predicted e) {
                throw new Undefined("the text and the wait are both wrong");
            }
            throw sql("syntax");
        }
        if (kind == Kind.SQL_CONFLICT && !tx.place.isPostgres()) {
            throw sql(Failures.CONFLICT);
        }
        touch(tx, write);
        if (kind == Kind.WRONG_SQL) {
            // PostgreSQL parses a statement before it checks whether the transaction is aborted.
            throw tx.fail("syntax");
        }
        if (tx.aborted) {
            throw tx.failAborted();
        }
        if (write && (tx.readOnly || tx.queryOnly)) {
            throw tx.fail("read-only");
        }
        String key = "t" + tx.table + "/" + step.number();
        String late = "l" + tx.table + "/" + step.number();
        switch (kind) {
            case INSERT, INSERT_PREPARED, INSERT_IN_BATCH, INSERT_BY_DATA_SOURCE -> insert(tx, key);
            case INSERT_OR_ROLLBACK -> insertOrRollback(tx, key);
            case UPDATE -> {
                String value = tx.value(key);
                change(tx, key, value == null ? null : value + "+");
                return value == null ? "0 rows" : "1 rows";
            }
            case DELETE -> {
                String value = tx.value(key);
                change(tx, key, null);
                return value == null ? "0 rows" : "1 rows";
            }
            case ADD_ONE -> change(tx, key, Objects.requireNonNullElse(tx.value(key), "") + "+");
            case INSERT_ORPHAN -> throw tx.fail("constraint");
            case INSERT_ORPHAN_FOR_COMMIT -> {
                if (tx.autoCommit || tx.value(late) != null) {
                    throw tx.fail("constraint");
                }
                tx.changes.put(late, "x");
                tx.late = true;
            }
            case SQL_CONFLICT -> throw tx.fail(Failures.CONFLICT);
            default -> {
                return look(tx);
            }
        }
        return null;
    }

    private static void insert(Tx tx, String key) {
        if (tx.value(key) != null) {
            throw tx.fail("constraint");
        }
        change(tx, key, "a");
    }

    private static void insertOrRollback(Tx tx, String key) {
        require(!tx.place.isPostgres(), "only SQLite has that");
        if (tx.value(key) == null) {
            change(tx, key, "a");
            return;
        }
        Predicted failure = sql("constraint");
        if (!tx.autoCommit) {
            tx.lost = true;
            // A plain connection returns its turn, because SQLite holds no lock for it.
            tx.hasTurn = tx instanceof Unit;
            if (tx instanceof Unit unit) {
                unit.doomAll(failure);
            }
        }
        throw failure;
    }

    private static void change(Tx tx, String key, @Nullable String value) {
        tx.changes.put(key, value);
        if (tx.autoCommit) {
            tx.commit();
        }
    }

    private static String look(Tx tx) {
        Map<String, String> seen = new TreeMap<>();
        for (String key : tx.place.rows.keySet()) {
            see(tx, key, seen);
        }
        for (String key : tx.changes.keySet()) {
            see(tx, key, seen);
        }
        return seen.toString();
    }

    private static void see(Tx tx, String key, Map<String, String> seen) {
        String value =
                key.startsWith("t" + tx.table) ? tx.value(key) : key.startsWith("t0") ? tx.place.rows.get(key) : null;
        if (value != null) {
            seen.put(key, value);
        }
    }

    /** A place in a program. */
    private final class Here implements Scope {
        private final Place place;
        private final @Nullable Tx tx;

        /** The level within the unit; {@code null} outside of units. */
        private final @Nullable Level level;

        /** Whether this is a joined call: an outer call owns the unit and ends it. */
        private final boolean joined;

        Here(Place place, @Nullable Tx tx, @Nullable Level level, boolean joined) {
            this.place = place;
            this.tx = tx;
            this.level = level;
            this.joined = joined;
        }

        @Override
        public boolean isConnected() {
            return tx != null;
        }

        @Override
        public boolean isUnit() {
            return level != null;
        }

        private Unit unit() {
            return (Unit) tx();
        }

        private Tx tx() {
            return Objects.requireNonNull(tx);
        }

        @Override
        public void block(Step step, Body body) throws Throwable {
            boolean rejected = interrupted && interrupts.next(step);
            Unit around = place.units.isEmpty() ? null : place.units.get(place.units.size() - 1);
            switch (step.kind()) {
                case RUN, READ -> {
                    boolean reading = step.kind() == Kind.READ;
                    if (around == null) {
                        open(place);
                        runAttempts(place, reading, rejected, body);
                    } else {
                        join(around, reading, body);
                    }
                }
                case BEGIN_AND_COMMIT, BEGIN_AND_CLOSE, BEGIN_AND_LEAVE_OPEN -> {
                    if (around == null) {
                        open(place);
                        beginByHand(place, rejected, step, body);
                    } else {
                        joinByHand(around, step, body);
                    }
                }
                case NESTED -> nest(unit(), body);
                case INDEPENDENT -> runAttempts(place, false, rejected, body);
                case AFTER_COMMIT, AFTER_ROLLBACK -> hook(step, body);
                case SAVEPOINT, SAVEPOINT_AND_BACK -> savepoint(tx(), step, this, body);
                case INTERRUPTED -> {
                    require(!interrupted, "it is interrupted");
                    interrupted = true;
                    try {
                        body.run(this);
                    } finally {
                        interrupted = false;
                    }
                }
                case FORK -> {
                    require(!interrupted, "copying may fail");
                    Place fork = new Place(place.database, true);
                    fork.rows.put("t0/1", "seed");
                    body.run(new Here(fork, null, null, false));
                }
                default -> {
                    open(place);
                    otherTool(place, rejected, step, body);
                }
            }
        }

        private void hook(Step step, Body body) {
            unit().hooks
                    .add(new Hook(
                            () -> {
                                try {
                                    body.run(new Here(place, null, null, false));
                                } catch (Throwable t) {
                                    throw Planned.<RuntimeException>sneaky(t);
                                }
                            },
                            step.kind() == Kind.AFTER_COMMIT));
        }

        @Override
        public @Nullable String leaf(Step step) {
            switch (step.kind()) {
                case SET_ROLLBACK_ONLY -> {
                    if (joined) {
                        level().doom(unit(), transaction(null));
                    } else {
                        level().rollbackAsked = true;
                    }
                }
                case CALL_COMMIT, CALL_CLOSE, SQL_COMMIT -> {
                    require(!tx().dead, "both is right");
                    throw sql("rejected");
                }
                case CALL_ROLLBACK, SQL_ROLLBACK -> {
                    require(!tx().dead, "both is right");
                    Predicted failure = sql("rejected");
                    unit().level.doom(unit(), failure);
                    throw failure;
                }
                case SQL_QUERY_ONLY -> {
                    require(!place.isPostgres() && !tx().dead && !tx().lost, "only SQLite has that");
                    if (isUnit()) {
                        throw sql("rejected");
                    }
                    touch(tx(), false);
                    tx().queryOnly = true;
                }
                case KILL -> {
                    require(place.isPostgres() && !tx().dead && !tx().aborted, "nothing to kill");
                    touch(tx(), false);
                    tx().dead = true;
                }
                case EVICT, CLOSE_CACHE -> {
                    requireMain();
                    closeEngine();
                }
                case FAIL_TO_OPEN -> {
                    requireOutside();
                    closeEngine();
                    return "EngineCreation(planned " + step.number() + ")";
                }
                case FAIL_TO_PREPARE -> {
                    requireOutside();
                    open(place);
                    return "Preparation(planned " + step.number() + "), then -";
                }
                case MIGRATE, MIGRATE_AND_FAIL -> {
                    return migrate(step);
                }
                case LOOK -> {
                    String flags = level == null ? "" : flags();
                    return statement(tx(), step) + flags;
                }
                default -> {
                    return statement(tx(), step);
                }
            }
            return null;
        }

        private Level level() {
            return Objects.requireNonNull(level);
        }

        private String flags() {
            boolean doomed = false;
            for (Level any = level; any != null; any = any.outer) {
                doomed |= any.failure != null || any.rollbackAsked;
            }
            return ", rollback only " + doomed + ", read-only " + tx().readOnly;
        }

        private void requireMain() {
            require(place == main && !interrupted, "only outside of forks and interrupts");
        }

        private void requireOutside() {
            requireMain();
            require(place.open.isEmpty() && place.units.isEmpty(), "only outside of transactions");
        }

        private String migrate(Step step) {
            requireOutside();
            require(program.scripts(), "the tables are not made by scripts");
            open(place);
            if (step.kind() == Kind.MIGRATE_AND_FAIL) {
                require(step.number() >= place.version, "a script was applied that is not there any more");
                throw failure("MigrationScript", sql("syntax"));
            }
            require(step.number() >= place.version, "a script was applied that is not there any more");
            while (place.version < step.number()) {
                place.version++;
                place.rows.put("t2/" + (1000 + place.version), "script");
            }
            return "version " + step.number();
        }
    }
}
