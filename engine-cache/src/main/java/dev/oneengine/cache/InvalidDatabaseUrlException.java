package dev.oneengine.cache;

import org.jspecify.annotations.Nullable;

/** A database URL that cannot be read. The message shows it with the password masked. */
public final class InvalidDatabaseUrlException extends EngineException {
    private static final long serialVersionUID = 1L;

    /** The reason must quote no part of the URL: what was meant as a password may have been read as something else. */
    InvalidDatabaseUrlException(String url, String reason, @Nullable Throwable cause) {
        super("Invalid database URL \"" + Secrets.printable(url) + "\": " + reason, cause);
    }

    InvalidDatabaseUrlException(String url, String reason) {
        this(url, reason, null);
    }
}
