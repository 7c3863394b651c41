package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.internal.SqliteFailures;
import java.lang.reflect.InvocationTargetException;
import java.nio.channels.ClosedByInterruptException;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.flywaydb.core.api.CoreErrorCode;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.internal.sqlscript.FlywaySqlScriptException;
import org.jspecify.annotations.Nullable;

/** Translates failures of Flyway into exceptions that name the database, the cause and the remedy. Stateless and thread-safe. */
final class FlywayFailures {
    /** The SQL state of PostgreSQL for a write in a read-only transaction. */
    private static final String READ_ONLY_TRANSACTION = "25006";

    /** The SQL state of PostgreSQL for the use of an enum value that the same transaction has added. */
    private static final String NEW_VALUE_OF_ENUM = "55P04";

    /** The longest statement in a message. The exception has the whole statement. */
    private static final int LONGEST = 500;

    /** The SQL state of PostgreSQL for a lock that timed out. */
    private static final String LOCKED = "55P03";

    /** Flyway's message for a script that it cannot parse, such as after an open quote. The line in it is often wrong. */
    private static final Pattern UNPARSED = Pattern.compile("Unable to parse statement in (.+?) at line ");

    /** The SQL state of PostgreSQL for a statement in an aborted transaction. */
    private static final String ABORTED = "25P02";

    /** An interrupt while Flyway reads a script, which it takes for a wrong encoding. */
    private static final String INTERRUPTED = "the thread was interrupted; retry if that was not intended";

    private FlywayFailures() {}

    /** Translates a failure to read a database or its scripts. */
    static MigrationException ofReading(DatabaseUrl url, Throwable failure) {
        String what = "Cannot read the migrations of " + url + ": ";
        return isBusy(failure) ? busy(what, failure) : new MigrationException(what + reason(failure), cause(failure));
    }

    /**
     * Reports a busy database without a cause. A surrounding unit of work would take the cause for a conflict and retry needlessly.
     */
    private static MigrationException busy(String what, Throwable failure) {
        MigrationException busy = new MigrationException(
                what
                        + "another transaction, perhaps of this thread, holds the database; end it or allow a longer busyTimeout",
                null);
        busy.addSuppressed(failure);
        return busy;
    }

    /**
     * Translates the failure of a run.
     *
     * @param current the migration that was running, or {@code null}
     */
    static MigrationException of(DatabaseUrl url, Throwable failure, @Nullable MigrationInfo current) {
        FlywaySqlScriptException inScript = find(FlywaySqlScriptException.class, failure);
        if (inScript != null) {
            return ofScript(url, inScript);
        }
        Throwable cause = cause(failure);
        Matcher unparsed = UNPARSED.matcher(String.valueOf(failure.getMessage()));
        if (unparsed.find()) {
            String script = unparsed.group(1).replaceFirst(".*[/\\\\]", "");
            return new MigrationScriptException(
                    script + " cannot be read: " + message(cause) + "; fix it and retry", cause, script, 0, null);
        }
        if (isBusy(failure)) {
            return busy("Cannot migrate " + url + ": ", failure);
        }
        String reason = reason(failure);
        if (current != null) {
            String script = current.getScript();
            return new MigrationScriptException(
                    script + " failed on " + url + ": " + reason + remedy(failure), cause, script, 0, null);
        }
        return new MigrationException("Cannot migrate " + url + ": " + reason, cause);
    }

    private static MigrationException ofScript(DatabaseUrl url, FlywaySqlScriptException failure) {
        // Perhaps not the script of the migration, but a callback such as afterEachMigrate.sql.
        String script = failure.getResource().getFilename();
        Throwable cause = cause(failure);
        if (script.isEmpty()) { // Flyway's own script
            return new MigrationException(
                    "Cannot migrate " + url + ": cannot create the table of the history: " + description(cause)
                            + "; allow this user to create tables there",
                    cause);
        }
        return new MigrationScriptException(
                script + ", line " + failure.getLineNumber() + ", failed on " + url + ": " + description(cause)
                        + "; the statement is: " + shortened(failure.getStatement()) + remedy(failure),
                cause,
                script,
                failure.getLineNumber(),
                failure.getStatement());
    }

    /** Whether a statement failed because its transaction was aborted before. */
    static boolean isOfAborted(SQLException failure) {
        return ABORTED.equals(failure.getSQLState());
    }

    private static String description(Throwable failure) {
        return failure instanceof SQLException sql && isOfAborted(sql)
                ? "an earlier statement failed, and its failure was swallowed (" + sql.getCause()
                        + "), so the server rolls back the whole transaction; throw that failure, or set a savepoint"
                        + " before the statement"
                : message(failure);
    }

    private static boolean isBusy(Throwable failure) {
        return isOfSqlite(SqliteFailures.BUSY, failure);
    }

    /** Whether a write failed because the connection is read-only. */
    static boolean isReadOnly(Throwable failure) {
        return isOfSqlite(SqliteFailures.READ_ONLY, failure) || hasState(READ_ONLY_TRANSACTION, failure);
    }

    private static boolean isOfSqlite(int code, Throwable failure) {
        return SqliteFailures.code(find(SQLException.class, failure)) == code;
    }

    private static boolean hasState(String state, Throwable failure) {
        SQLException sql = find(SQLException.class, failure);
        return sql != null && state.equals(sql.getSQLState());
    }

    private static String remedy(Throwable failure) {
        if (hasState(LOCKED, failure)) {
            return "; another transaction, perhaps of this thread, holds a lock that it needs; end it or allow a longer lockTimeout";
        }
        return hasState(NEW_VALUE_OF_ENUM, failure)
                ? "; a transaction cannot use an enum value that it has added, and all scripts of a run share one transaction; "
                        + "give each script its own with configure(flyway -> flyway.group(false))"
                : "; fix it and retry";
    }

    private static String shortened(String statement) {
        return statement.length() <= LONGEST ? statement : statement.substring(0, LONGEST) + "...";
    }

    private static String reason(Throwable failure) {
        if (restoreInterrupt(failure)) {
            return INTERRUPTED;
        }
        if (failure instanceof FlywayException flyway
                && flyway.getErrorCode() == CoreErrorCode.NON_EMPTY_SCHEMA_WITHOUT_SCHEMA_HISTORY_TABLE) {
            return "there are tables in it, but no history of migrations; if they equal those after version N, use "
                    + "configure(flyway -> flyway.baselineOnMigrate(true).baselineVersion(\"N\"))";
        }
        String message = String.valueOf(failure.getMessage());
        if (message.startsWith("Detected both")) {
            return "some of its statements cannot run in a transaction, and others must; split it into two scripts ("
                    + message(message) + ")";
        }
        if (message.startsWith("Unsupported Database") || message.startsWith("No database found to handle")) {
            return "Flyway does not support this database; add its module to the classpath, for PostgreSQL "
                    + "org.flywaydb:flyway-database-postgresql";
        }
        if (message.contains("while attempting to acquire") || hasState(LOCKED, failure)) {
            return "a lock was not available within the lockTimeout of this runner; another process migrates the database, or a "
                    + "transaction, perhaps of this thread, holds the lock; end it or allow a longer lockTimeout";
        }
        Throwable cause = cause(failure);
        if (SqliteFailures.isReadOnlyDirectory(cause)) {
            return SqliteFailures.READ_ONLY_DIRECTORY_ADVICE + " (" + message(cause) + ")";
        }
        return cause instanceof FlywayException ? message(failure) : description(cause);
    }

    /** Describes a failure to read scripts. */
    static String messageOfScripts(Throwable failure) {
        return restoreInterrupt(failure)
                ? INTERRUPTED
                : message(failure).replaceFirst("\\.$", "")
                        + "; check locations() and the names of the scripts, such as V1__plan.sql";
    }

    /** Sets the thread's flag again if an interrupt has caused a failure, because code in between may clear it. Returns whether it has. */
    private static boolean restoreInterrupt(Throwable failure) {
        boolean interrupt = find(ClosedByInterruptException.class, failure) != null;
        if (interrupt) {
            Thread.currentThread().interrupt();
        }
        return interrupt;
    }

    /** Returns Flyway's message without lines of dashes and without advice on its command line. */
    static String message(Throwable failure) {
        return message(failure.getMessage() == null ? failure.toString() : failure.getMessage());
    }

    static String message(String message) {
        return message.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.matches("-+") && !line.contains("Run Flyway with -X"))
                .collect(Collectors.joining(" "));
    }

    /** Returns the exception that made Flyway fail, or Flyway's own if there is none. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof FlywayException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        // Flyway calls the driver's COPY by reflection. Its own message does not contain the server's reason.
        return cause instanceof SQLException && cause.getCause() instanceof InvocationTargetException copy
                ? copy.getTargetException()
                : cause;
    }

    private static <T extends Throwable> @Nullable T find(Class<T> type, Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (type.isInstance(t)) {
                return type.cast(t);
            }
        }
        return null;
    }
}
