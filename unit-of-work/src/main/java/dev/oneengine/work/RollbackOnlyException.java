package dev.oneengine.work;

/**
 * A unit of work reached its end but was rolled back, because an earlier failure in it was swallowed: the failure of a joined call
 * or, on PostgreSQL, of a statement. The cause is the first such failure. Thread-safe.
 */
public final class RollbackOnlyException extends TransactionException {
    private static final long serialVersionUID = 1L;

    RollbackOnlyException(String message, Throwable cause) {
        super(message, cause);
    }
}
