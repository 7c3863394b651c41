package dev.oneengine.cache;

/**
 * Thrown when a closed engine or a closed cache is used.
 *
 * <p>Thread-safe.
 */
public final class EngineClosedException extends EngineException {
    private static final long serialVersionUID = 1L;

    EngineClosedException(String message) {
        super(message, null);
    }

    /** Returns the message for a closed engine. Exceptions of JDBC have the same message. */
    static String ofEngine(DatabaseUrl url) {
        return "The engine for " + url + " was closed; get a new one from the cache";
    }

    /** Returns the message for a closed cache. */
    static String ofCache(DatabaseUrl url) {
        return "Cannot return the engine for " + url + ": the cache is closed";
    }
}
