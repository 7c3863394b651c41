package dev.oneengine.cache;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps connections in the pool that HikariCP would close because of SQL state 0A000. PostgreSQL's driver reports that state
 * for JDBC methods it does not implement, the server for unsupported statements and outdated plans. Either leaves the
 * connection intact; closing it would end its user's transaction.
 *
 * <p>Also names the database where a connection in use is broken because its engine was closed. HikariCP asks this object about each
 * failure that breaks a connection, so connections need no wrappers for that. Thread-safe.
 */
final class BrokenPostgresConnection implements SQLExceptionOverride {
    private static final String NOT_SUPPORTED = "0A000";

    /** As many failures of a chain as HikariCP reads. Limits a chain that leads back to itself. */
    private static final int LONGEST_CHAIN = 10;

    private final DatabaseUrl url;
    private final BooleanSupplier isEngineClosed;

    BrokenPostgresConnection(DatabaseUrl url, BooleanSupplier isEngineClosed) {
        this.url = url;
        this.isEngineClosed = isEngineClosed;
    }

    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException failure) {
        if (isEngineClosed.getAsBoolean()) {
            throw BrokenPostgresConnection.<RuntimeException>unchecked(
                    new SQLNonTransientConnectionException(Engine.closedMessage(url), failure.getSQLState(), failure));
        }
        // DO_NOT_EVICT ends HikariCP's search, so the rest of the chain counts here: the connection can break right
        // after an unsupported statement.
        return NOT_SUPPORTED.equals(failure.getSQLState()) && !isBroken(failure.getNextException())
                ? SQLExceptionOverride.Override.DO_NOT_EVICT
                : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }

    /** HikariCP passes on what this throws to the caller of JDBC, who expects an SQLException. */
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
