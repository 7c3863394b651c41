package dev.oneengine.cache.url;

/** Thrown when a URL cannot be parsed. Has no cause, because a cause could quote the URL. Thread-safe. */
public final class UrlSyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with a reason that quotes no part of the URL: the part may belong to a password. */
    UrlSyntaxException(String reason) {
        super(reason);
    }

    /** {@return the reason and the remedy} */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
