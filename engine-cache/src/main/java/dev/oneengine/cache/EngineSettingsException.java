package dev.oneengine.cache;

import java.util.List;

/**
 * Thrown when an engine exists with other settings than those of the call. The message names the settings that differ.
 *
 * <p>Thread-safe.
 */
public final class EngineSettingsException extends EngineException {
    private static final long serialVersionUID = 1L;

    EngineSettingsException(DatabaseUrl url, List<String> differences) {
        super(
                "The engine for " + url + " exists with other settings: " + String.join(", ", differences)
                        + "; pass the same settings in all calls, or none to accept the engine as it is",
                null);
    }
}
