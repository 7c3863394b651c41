package dev.oneengine.soak;

import java.util.EnumSet;
import java.util.Set;

/**
 * The one list of what programs must not do yet, because the library does not keep its promise there. A program that comes to
 * such a situation is thrown away. Take a line out of {@link #NOW} as soon as the library is right; the list should be empty.
 */
enum LeftOut {
    /** A connection with an open transaction is closed after its engine: HikariCP throws a NullPointerException. */
    RETURN_TO_A_CLOSED_ENGINE,

    /**
     * A read-only transaction on PostgreSQL has nothing but a savepoint, and its connection is returned: HikariCP takes it for
     * unused, does not roll back, cannot reset it, and gives it to the next user read-only and without auto-commit.
     */
    SAVEPOINT_ALONE_IN_A_READ_ONLY_TRANSACTION;

    private static final Set<LeftOut> NOW = EnumSet.allOf(LeftOut.class);

    /** Gives a program up that has come to this situation, if it is in the list. */
    void check() {
        if (NOW.contains(this)) {
            throw new Undefined("left out: " + this);
        }
    }
}
