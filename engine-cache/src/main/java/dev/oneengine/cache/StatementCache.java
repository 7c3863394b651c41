package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The idle prepared statements of one connection. Preparing a small statement costs more than running it, and the driver prepares anew
 * each time. A full cache closes the least recently used statement.
 *
 * <p>Thread-safe, because any thread may close a statement.
 */
final class StatementCache<S extends StatementCache.Entry> {
    private static final Logger LOG = LoggerFactory.getLogger(StatementCache.class);

    /** The longest SQL text that is kept. Bounds the memory. */
    static final int LONGEST_TEXT = 8_192;

    private final int limit;

    private final Object lock = new Object();

    @GuardedBy("lock") private final Map<String, S> templates = new LinkedHashMap<>();

    /** A prepared statement. */
    interface Entry {
        /** Closes the native statement. */
        void free() throws SQLException;
    }

    /**
     * Creates an empty cache.
     *
     * @param limit the largest number of statements, 0 for none
     */
    StatementCache(int limit) {
        this.limit = limit;
    }

    boolean accepts(String sql, SqlKind kind) {
        return limit > 0 && kind.reusable() && sql.length() <= LONGEST_TEXT;
    }

    /** Removes and returns the statement with this text. While one caller uses it, another one prepares a second statement. */
    @Nullable S take(String sql) {
        synchronized (lock) {
            return templates.remove(sql);
        }
    }

    /** Keeps a statement until its next use, or closes it if another one with its text is kept already. */
    void add(String sql, S template) {
        List<S> surplus = new ArrayList<>(1);
        synchronized (lock) {
            if (templates.putIfAbsent(sql, template) != null) {
                surplus.add(template);
            } else if (templates.size() > limit) {
                Iterator<S> oldest = templates.values().iterator();
                surplus.add(oldest.next());
                oldest.remove();
            }
        }
        close(surplus);
    }

    /** Closes all statements. After a change of the schema, SQLite would prepare each of them again. */
    void clear() {
        List<S> all;
        synchronized (lock) {
            all = List.copyOf(templates.values());
            templates.clear();
        }
        close(all);
    }

    private void close(List<S> statements) {
        for (S statement : statements) {
            try {
                statement.free();
            } catch (SQLException e) {
                LOG.debug("A kept statement reported its last failure when it was closed", e);
            }
        }
    }
}
