package dev.oneengine.work;

/**
 * A unit of work was committed, but an {@link Transaction#afterCommit} hook failed. The cause is the first failure; those of further
 * hooks are suppressed in it.
 *
 * <p>Do not retry the unit: that would do its work twice. If this exception escapes from the function of another unit, that unit is
 * rolled back and throws a {@link TransactionException} whose cause is this exception. Thread-safe.
 */
public final class AfterCommitException extends TransactionException {
    private static final long serialVersionUID = 1L;

    AfterCommitException(String message, Throwable cause) {
        super(message, cause);
    }
}
