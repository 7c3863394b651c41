package dev.oneengine.migration;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A script, or a migration written in Java, failed. The cause is what the database, or the code, said. */
public final class MigrationScriptException extends MigrationException {
    private static final long serialVersionUID = 1L;

    /** Its name. */
    private final String script;

    /** From 1; 0 for none. */
    private final int line;

    /** Of a script only. */
    private final @Nullable String statement;

    MigrationScriptException(
            String message, @Nullable Throwable cause, String script, int line, @Nullable String statement) {
        super(message, cause);
        this.script = script;
        this.line = line;
        this.statement = statement;
    }

    /**
     * Which script failed.
     *
     * @return its name, or that of the class
     */
    public String script() {
        return script;
    }

    /**
     * Where in the script the statement begins that failed.
     *
     * @return the line, from 1; empty where it was no statement of a script
     */
    public OptionalInt line() {
        return line > 0 ? OptionalInt.of(line) : OptionalInt.empty();
    }

    /**
     * The statement that failed, with its placeholders replaced.
     *
     * @return the statement; empty where it was no statement of a script
     */
    public Optional<String> statement() {
        return Optional.ofNullable(statement);
    }

    @Override
    MigrationException copy(String message) {
        return new MigrationScriptException(message, getCause(), script, line, statement);
    }
}
