package dev.oneengine.work;

/**
 * A unit of work came to its end as if all was well, but a part of it had failed: so all of it was rolled back. The cause is
 * that failure, which somebody must have swallowed.
 *
 * <p>As thread-safe as any {@link Throwable}.
 */
public final class RollbackOnlyException extends TransactionException {
    private static final long serialVersionUID = 1L;

    RollbackOnlyException(String message, Throwable cause) {
        super(message, cause);
    }
}
