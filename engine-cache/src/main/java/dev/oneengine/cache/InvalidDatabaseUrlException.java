package dev.oneengine.cache;

/**
 * Thrown when a database URL cannot be parsed. The message quotes only the scheme, because a password may stand anywhere after it.
 * There is no cause, because a cause would quote the URL.
 *
 * <p>Thread-safe.
 */
public final class InvalidDatabaseUrlException extends EngineException {
    private static final long serialVersionUID = 1L;

    /** The reason must quote no part of the URL: what was meant as a password may have been read as something else. */
    InvalidDatabaseUrlException(String url, String reason) {
        super("Invalid database URL \"" + Secrets.scheme(url) + "\": " + reason, null);
    }
}
