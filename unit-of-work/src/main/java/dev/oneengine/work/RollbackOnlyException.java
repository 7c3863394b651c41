package dev.oneengine.work;

/**
 * A unit of work came to its end, but it was rolled back, because a part of it had failed, or on PostgreSQL a statement: the
 * server commits nothing after that. The cause is the first such failure, which was swallowed.
 *
 * <p>As thread-safe as any {@link Throwable}.
 */
public final class RollbackOnlyException extends TransactionException {
    private static final long serialVersionUID = 1L;

    RollbackOnlyException(String message, Throwable cause) {
        super(message, cause);
    }
}
