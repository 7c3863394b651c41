package dev.oneengine.cache;

/**
 * Thrown when a database URL cannot be parsed. The message quotes only the scheme, because a password may stand anywhere after it.
 * There is no cause, because a cause would quote the URL.
 *
 * <p>Thread-safe.
 */
public final class InvalidDatabaseUrlException extends EngineException {
    private static final long serialVersionUID = 1L;

    InvalidDatabaseUrlException(String scheme, String reason) {
        super("Invalid database URL \"" + scheme + "\": " + reason, null);
    }
}
