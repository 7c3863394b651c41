package dev.oneengine.cache;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.util.Locale;
import org.sqlite.SQLiteException;

/**
 * Tells the pool which connections to throw away. It goes by SQL states, which SQLite's driver does not give; a connection
 * that somebody closed below the pool would be handed out again and again. Stateless and thread-safe.
 */
final class BrokenSqliteConnection implements SQLExceptionOverride {
    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException failure) {
        // What SQLite itself reports is about a statement. The driver alone knows that there is no connection any more,
        // and
        // has no other sign for it than its words.
        boolean broken = !(failure instanceof SQLiteException)
                && String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT).contains("closed");
        return broken ? SQLExceptionOverride.Override.MUST_EVICT : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }
}
