package dev.oneengine.migration;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a script, or of a migration written in Java. The cause is the exception of the driver or of that migration.
 *
 * <p>Immutable and thread-safe.
 */
public final class MigrationScriptException extends MigrationException {
    private static final long serialVersionUID = 1L;

    /** The name of its file or class. */
    private final String script;

    /** Counted from 1; 0 for none. */
    private final int line;

    /** {@code null} for a migration written in Java. */
    private final @Nullable String statement;

    MigrationScriptException(
            String message, @Nullable Throwable cause, String script, int line, @Nullable String statement) {
        super(message, cause);
        this.script = script;
        this.line = line;
        this.statement = statement;
    }

    /**
     * Returns the name of the failed script.
     *
     * @return the name of its file, or of the class of a migration written in Java
     */
    public String script() {
        return script;
    }

    /**
     * Returns the line at which the failed statement begins.
     *
     * @return the line, from 1; empty if no statement of a script failed
     */
    public OptionalInt line() {
        return line > 0 ? OptionalInt.of(line) : OptionalInt.empty();
    }

    /**
     * Returns the failed statement, with its placeholders replaced.
     *
     * @return the statement; empty if no statement of a script failed
     */
    public Optional<String> statement() {
        return Optional.ofNullable(statement);
    }

    @Override
    MigrationException copy(String message) {
        return new MigrationScriptException(message, getCause(), script, line, statement);
    }
}
