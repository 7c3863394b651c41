package dev.oneengine.cache;

/**
 * A database URL that cannot be read. The message shows the scheme alone, as a password may stand anywhere behind it. There is no
 * cause, because that would quote the URL.
 */
public final class InvalidDatabaseUrlException extends EngineException {
    private static final long serialVersionUID = 1L;

    /** The reason must quote no part of the URL: what was meant as a password may have been read as something else. */
    InvalidDatabaseUrlException(String url, String reason) {
        super("Invalid database URL \"" + Secrets.scheme(url) + "\": " + reason, null);
    }
}
