package dev.oneengine.work;

/**
 * A unit of work was committed, but a hook that was to run after that failed. The cause is the first failure, others are
 * suppressed in it. Trying the unit again would do its work twice. If it comes out of the function of another unit, that one is
 * rolled back and throws a {@link TransactionException} whose cause is this.
 *
 * <p>As thread-safe as any {@link Throwable}.
 */
public final class AfterCommitException extends TransactionException {
    private static final long serialVersionUID = 1L;

    AfterCommitException(String message, Throwable cause) {
        super(message, cause);
    }
}
