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
 * The prepared statements of one connection that nobody uses at present. Preparing costs more than running a small statement, and
 * the driver prepares anew each time. The least recently used statement goes first.
 *
 * <p>Thread-safe, as any thread may close a statement.
 */
final class StatementCache {
    private static final Logger LOG = LoggerFactory.getLogger(StatementCache.class);

    /** The longest SQL text that is kept, so that memory is bounded. */
    static final int LONGEST_TEXT = 8_192;

    private final int limit;

    private final Object lock = new Object();

    @GuardedBy("lock") private final Map<String, SqlitePreparedStatement> templates = new LinkedHashMap<>();

    /**
     * Creates an empty set.
     *
     * @param limit the largest number of statements, 0 for none
     */
    StatementCache(int limit) {
        this.limit = limit;
    }

    boolean accepts(String sql, SqlKind kind) {
        return limit > 0 && kind.reusable() && sql.length() <= LONGEST_TEXT;
    }

    /** Removes and returns the statement with this text. While one caller uses it, another prepares a second one. */
    @Nullable SqlitePreparedStatement take(String sql) {
        synchronized (lock) {
            return templates.remove(sql);
        }
    }

    /** Keeps a statement until its next use, or closes it if another one with its text is kept already. */
    void add(String sql, SqlitePreparedStatement template) {
        List<SqlitePreparedStatement> surplus = new ArrayList<>(1);
        synchronized (lock) {
            if (templates.putIfAbsent(sql, template) != null) {
                surplus.add(template);
            } else if (templates.size() > limit) {
                Iterator<SqlitePreparedStatement> oldest = templates.values().iterator();
                surplus.add(oldest.next());
                oldest.remove();
            }
        }
        close(surplus);
    }

    /** Closes all statements, such as after a change of the schema, which makes SQLite prepare each of them anew. */
    void clear() {
        List<SqlitePreparedStatement> all;
        synchronized (lock) {
            all = List.copyOf(templates.values());
            templates.clear();
        }
        close(all);
    }

    private static void close(List<SqlitePreparedStatement> statements) {
        for (SqlitePreparedStatement statement : statements) {
            try {
                statement.pointer.close();
            } catch (SQLException e) {
                LOG.debug("A kept statement reported its last failure when it was closed", e);
            }
        }
    }
}
