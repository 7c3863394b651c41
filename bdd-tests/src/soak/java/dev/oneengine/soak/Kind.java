package dev.oneengine.soak;

import static dev.oneengine.soak.Kind.Needs.CONNECTION;
import static dev.oneengine.soak.Kind.Needs.NOTHING;
import static dev.oneengine.soak.Kind.Needs.UNIT;

import java.util.Locale;

/** The kinds of steps. */
enum Kind {
    // Units of work, and steps within them.
    RUN(NOTHING, true),
    READ(NOTHING, true),
    BEGIN_AND_COMMIT(NOTHING, true),
    BEGIN_AND_CLOSE(NOTHING, true),
    BEGIN_AND_LEAVE_OPEN(NOTHING, true),
    NESTED(UNIT, true),
    INDEPENDENT(UNIT, true),
    AFTER_COMMIT(UNIT, true),
    AFTER_ROLLBACK(UNIT, true),
    SET_ROLLBACK_ONLY(UNIT, false),
    CALL_COMMIT(UNIT, false),
    CALL_ROLLBACK(UNIT, false),
    CALL_CLOSE(UNIT, false),
    SQL_COMMIT(UNIT, false),
    SQL_ROLLBACK(UNIT, false),

    // Transactions of other tools on the same engine.
    JDBC_AND_COMMIT(NOTHING, true),
    JDBC_AND_ROLLBACK(NOTHING, true),
    JDBC_AND_CLOSE(NOTHING, true),
    JDBC_AND_ABORT(NOTHING, true),
    JDBC_AND_AUTO_COMMIT(NOTHING, true),
    JDBC_IN_AUTO_COMMIT(NOTHING, true),
    JDBC_READ_ONLY(NOTHING, true),
    SPRING(NOTHING, true),
    SPRING_READ_ONLY(NOTHING, true),
    SPRING_ROLLBACK_ONLY(NOTHING, true),

    // Statements.
    INSERT(CONNECTION, false),
    INSERT_PREPARED(CONNECTION, false),
    INSERT_IN_BATCH(CONNECTION, false),
    INSERT_BY_DATA_SOURCE(UNIT, false),
    INSERT_OR_ROLLBACK(CONNECTION, false),
    UPDATE(CONNECTION, false),
    DELETE(CONNECTION, false),
    INSERT_ORPHAN(CONNECTION, false),
    INSERT_ORPHAN_FOR_COMMIT(CONNECTION, false),
    WRONG_SQL(CONNECTION, false),
    SQL_CONFLICT(CONNECTION, false),
    ADD_ONE(CONNECTION, false),
    SQL_QUERY_ONLY(CONNECTION, false),
    SAVEPOINT(CONNECTION, true),
    SAVEPOINT_AND_BACK(CONNECTION, true),
    LOOK(CONNECTION, false),
    KILL(CONNECTION, false),

    // Failures.
    TRY(NOTHING, true),
    THROW_EXCEPTION(NOTHING, false),
    THROW_RUNTIME_EXCEPTION(NOTHING, false),
    THROW_ERROR(NOTHING, false),
    THROW_CONFLICT(NOTHING, false),
    INTERRUPTED(NOTHING, true),

    // Engines and migrations.
    EVICT(NOTHING, false),
    CLOSE_CACHE(NOTHING, false),
    FAIL_TO_OPEN(NOTHING, false),
    FAIL_TO_PREPARE(NOTHING, false),
    MIGRATE(NOTHING, false),
    MIGRATE_AND_FAIL(NOTHING, false),
    FORK(NOTHING, true);

    /** The unit or connection that must be open around a step; without it, the step does nothing. */
    enum Needs {
        NOTHING,
        CONNECTION,
        UNIT
    }

    private final Needs needs;
    private final boolean block;

    Kind(Needs needs, boolean block) {
        this.needs = needs;
        this.block = block;
    }

    boolean needsConnection() {
        return needs != NOTHING;
    }

    boolean needsUnit() {
        return needs == UNIT;
    }

    /** Whether a step of this kind contains other steps. */
    boolean isBlock() {
        return block;
    }

    boolean isHook() {
        return this == AFTER_COMMIT || this == AFTER_ROLLBACK;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
