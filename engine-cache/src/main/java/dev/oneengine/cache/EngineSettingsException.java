package dev.oneengine.cache;

/** An engine is there, but with other settings than those asked for. The message names the settings that differ. */
public final class EngineSettingsException extends EngineException {
    private static final long serialVersionUID = 1L;

    EngineSettingsException(String message) {
        super(message, null);
    }
}
