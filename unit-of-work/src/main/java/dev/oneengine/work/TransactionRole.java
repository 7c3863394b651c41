package dev.oneengine.work;

/** The owner of a {@link Transaction}, and its scope within the unit. */
enum TransactionRole {
    /** For the function of a unit. */
    UNIT,
    /** For the function of a joined call. */
    JOINED,
    /** For the function of a nested transaction. */
    NESTED,
    /** For the caller of {@link UnitOfWork#begin}, who must end the unit. */
    MANUAL_UNIT,
    /** For the caller of {@link UnitOfWork#begin} in an open unit, who must end that joined call. */
    MANUAL_JOIN;

    boolean isManual() {
        return this == MANUAL_UNIT || this == MANUAL_JOIN;
    }

    boolean isJoined() {
        return this == JOINED || this == MANUAL_JOIN;
    }
}
