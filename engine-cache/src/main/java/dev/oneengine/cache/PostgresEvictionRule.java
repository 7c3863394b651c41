package dev.oneengine.cache;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which failures make HikariCP close a connection to PostgreSQL.
 *
 * <p>Keeps connections that HikariCP would close because of SQL state 0A000. PostgreSQL's driver reports that state for JDBC methods that
 * it does not implement, and the server for unsupported statements and outdated plans. Both leave the connection intact, and closing it
 * would end its user's transaction.
 *
 * <p>Also names the database when a connection in use breaks because its engine was closed. HikariCP calls this object for each failure
 * that breaks a connection, so connections need no wrapper. Thread-safe.
 */
final class PostgresEvictionRule implements SQLExceptionOverride {
    private static final String NOT_SUPPORTED = "0A000";

    /** The number of failures in a chain that HikariCP reads. Ends a chain that leads back to itself. */
    private static final int LONGEST_CHAIN = 10;

    private final DatabaseUrl url;
    private final BooleanSupplier isEngineClosed;

    PostgresEvictionRule(DatabaseUrl url, BooleanSupplier isEngineClosed) {
        this.url = url;
        this.isEngineClosed = isEngineClosed;
    }

    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException failure) {
        if (isEngineClosed.getAsBoolean()) {
            throw PostgresEvictionRule.<RuntimeException>unchecked(new SQLNonTransientConnectionException(
                    EngineClosedException.ofEngine(url), failure.getSQLState(), failure));
        }
        // DO_NOT_EVICT ends HikariCP's search, so this checks the rest of the chain: the connection can break right
        // after an unsupported statement.
        return NOT_SUPPORTED.equals(failure.getSQLState()) && !isBroken(failure.getNextException())
                ? SQLExceptionOverride.Override.DO_NOT_EVICT
                : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }

    /** Throws a checked exception: HikariCP passes it on to the caller of JDBC, who expects an SQLException. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T unchecked(SQLException failure) throws T {
        throw (T) failure;
    }

    private static boolean isBroken(@Nullable SQLException first) {
        SQLException failure = first;
        for (int i = 0; failure != null && i < LONGEST_CHAIN; i++) {
            String state = String.valueOf(failure.getSQLState());
            if (state.startsWith("08") || state.startsWith("57P")) {
                return true;
            }
            failure = failure.getNextException();
        }
        return false;
    }
}
