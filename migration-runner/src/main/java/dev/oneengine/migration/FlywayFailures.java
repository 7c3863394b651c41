package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.internal.SqliteFailures;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.flywaydb.core.api.CoreErrorCode;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.internal.sqlscript.FlywaySqlScriptException;
import org.jspecify.annotations.Nullable;

/** Says in this library's words what Flyway has failed at, and what to do. Stateless and thread-safe. */
final class FlywayFailures {
    /** The SQL state of PostgreSQL for a statement that a read-only transaction rejects. */
    private static final String READ_ONLY_TRANSACTION = "25006";

    /** The SQL state of PostgreSQL for a value of an enum that the same transaction has added. */
    private static final String NEW_VALUE_OF_ENUM = "55P04";

    /** The exception has the whole statement; its message is for a log. */
    private static final int LONGEST = 500;

    /** The SQL state of PostgreSQL for a lock that was not to be had in time. */
    private static final String LOCKED = "55P03";

    /**
     * What Flyway says of a script that it cannot take apart: an open quote, a placeholder without a value. The line that
     * follows is often another one.
     */
    private static final Pattern UNPARSED = Pattern.compile("Unable to parse statement in (.+?) at line ");

    /** The SQL state of PostgreSQL for a statement in a transaction that has failed before. */
    private static final String ABORTED = "25P02";

    private FlywayFailures() {}

    /** Translates a failure to look at a database, or at its scripts. */
    static MigrationException ofReading(DatabaseUrl url, Throwable failure) {
        String what = "Cannot read the migrations of " + url + ": ";
        return isBusy(failure) ? busy(what, failure) : new MigrationException(what + reason(failure), cause(failure));
    }

    /** Not as the cause: a unit of work around the call would take that for a conflict of its own, and try again in vain. */
    private static MigrationException busy(String what, Throwable failure) {
        MigrationException busy = new MigrationException(
                what
                        + "another transaction holds the database; end it first, also one of this thread, or allow a longer "
                        + "busyTimeout",
                null);
        busy.addSuppressed(failure);
        return busy;
    }

    /**
     * Translates the failure of a run.
     *
     * @param current the migration that was being applied, or {@code null} for none
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
                    script + " cannot be read: " + message(cause) + "; mend it and call again", cause, script, 0, null);
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
        // Not always that of the migration: it may be a callback, such as afterEachMigrate.sql.
        String script = failure.getResource().getFilename();
        Throwable cause = cause(failure);
        return new MigrationScriptException(
                script + ", line " + failure.getLineNumber() + ", failed on " + url + ": " + said(cause)
                        + "; the statement is: " + shortened(failure.getStatement()) + remedy(failure),
                cause,
                script,
                failure.getLineNumber(),
                failure.getStatement());
    }

    /** Whether a statement met a transaction that has failed before. */
    static boolean isOfAborted(SQLException failure) {
        return ABORTED.equals(failure.getSQLState());
    }

    private static String said(Throwable failure) {
        return failure instanceof SQLException sql && isOfAborted(sql)
                ? "a statement before failed, and its failure was swallowed (" + sql.getCause()
                        + "), so the server undoes the whole transaction; let that failure through, or set a savepoint"
                        + " before the statement"
                : message(failure);
    }

    private static boolean isBusy(Throwable failure) {
        return isOfSqlite(SqliteFailures.BUSY, failure);
    }

    /** Whether something could not be written because the database is only read. */
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
        return hasState(NEW_VALUE_OF_ENUM, failure)
                ? "; a transaction cannot use a value of an enum that it has added, and all scripts of a run share one; give "
                        + "each its own by configure(flyway -> flyway.group(false))"
                : "; mend it and call again";
    }

    private static String shortened(String statement) {
        return statement.length() <= LONGEST ? statement : statement.substring(0, LONGEST) + "...";
    }

    private static String reason(Throwable failure) {
        if (failure instanceof FlywayException flyway
                && flyway.getErrorCode() == CoreErrorCode.NON_EMPTY_SCHEMA_WITHOUT_SCHEMA_HISTORY_TABLE) {
            return "there are tables in it, but no history of migrations; if it is as after version N, say so by "
                    + "configure(flyway -> flyway.baselineOnMigrate(true).baselineVersion(\"N\"))";
        }
        String said = String.valueOf(failure.getMessage());
        if (said.startsWith("Detected both")) {
            return "some of its statements cannot run in a transaction, and others must; part them into two scripts ("
                    + message(said) + ")";
        }
        if (said.startsWith("Unsupported Database") || said.startsWith("No database found to handle")) {
            return "Flyway does not know this database; add its support for it to the class path, for PostgreSQL "
                    + "org.flywaydb:flyway-database-postgresql";
        }
        if (said.contains("while attempting to acquire") || hasState(LOCKED, failure)) {
            return "a lock was not available within the lockTimeout of this runner; another process migrates the database, or a "
                    + "transaction, perhaps of this thread, holds the lock; end it or allow a longer lockTimeout";
        }
        Throwable cause = cause(failure);
        return cause instanceof FlywayException ? message(failure) : said(cause);
    }

    /** What Flyway said, without its decoration: lines of dashes, and advice on options of its command line. */
    static String message(Throwable failure) {
        return message(failure.getMessage() == null ? failure.toString() : failure.getMessage());
    }

    static String message(String said) {
        return said.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.matches("-+") && !line.contains("Run Flyway with -X"))
                .collect(Collectors.joining(" "));
    }

    /** What made Flyway fail; itself where it was the first to notice. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof FlywayException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
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
