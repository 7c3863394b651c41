package dev.oneengine.cache;

import dev.oneengine.cache.internal.SqlTokens;
import java.util.Locale;
import java.util.Set;

/**
 * What a connection must know about an SQL text before SQLite runs it. A mistake costs order in the queue, never correctness:
 * SQLite's own locks hold whatever is assumed here. Immutable and thread-safe.
 *
 * @param writes whether the text needs the lock of a writer
 * @param control whether it may begin or end a transaction, so that SQLite must be asked afterwards
 * @param inserts whether it may generate a key
 * @param reusable whether it is kept prepared: it queries or changes rows, and does nothing while it is prepared
 * @param readOnly whether it may switch {@code query_only}
 * @param busyTimeout whether it may set SQLite's own busy handler
 * @param verb the first word, where that matters for itself: {@code rollback}, {@code restore}
 */
record SqlKind(
        boolean writes,
        boolean control,
        boolean inserts,
        boolean reusable,
        boolean readOnly,
        boolean busyTimeout,
        String verb) {
    static final SqlKind READ = new SqlKind(false, false, false, false, false, false, "");
    static final SqlKind WRITE = new SqlKind(true, false, false, false, false, false, "");
    static final SqlKind QUERY = new SqlKind(false, false, false, true, false, false, "");
    private static final SqlKind CHANGE = new SqlKind(true, false, false, true, false, false, "");
    private static final SqlKind INSERT = new SqlKind(true, false, true, true, false, false, "");
    private static final SqlKind CONTROL = new SqlKind(false, true, false, false, false, false, "");
    private static final SqlKind CONTROL_OF_WRITER = new SqlKind(true, true, false, false, false, false, "");
    private static final SqlKind ROLLBACK = new SqlKind(false, true, false, false, false, false, "rollback");
    private static final SqlKind RESTORE = new SqlKind(true, false, false, false, false, false, "restore");

    /** The pragmas that change the database file if they have an argument. Without one they read it. */
    private static final Set<String> WRITING_PRAGMAS = Set.of(
            "APPLICATION_ID", "AUTO_VACUUM", "ENCODING", "JOURNAL_MODE", "PAGE_SIZE", "SCHEMA_VERSION", "USER_VERSION");

    /** The pragmas that change the database file in any case. */
    private static final Set<String> WORKING_PRAGMAS = Set.of("INCREMENTAL_VACUUM", "OPTIMIZE", "WAL_CHECKPOINT");

    /** What a prepared statement runs: the first statement of a text. */
    static SqlKind of(String sql) {
        return new Reader(sql).first();
    }

    /** What a text runs when all of its statements are executed; that the body of a trigger looks like some does no harm. */
    static SqlKind ofScript(String sql) {
        Reader reader = new Reader(sql);
        SqlKind all = reader.first();
        while (reader.tokens.nextStatement()) {
            all = all.and(reader.statement());
        }
        return all;
    }

    /** Whether it only reads rows, which {@code query_only} does not change. */
    boolean isQuery() {
        return reusable && !writes;
    }

    /** What two texts run together. */
    SqlKind and(SqlKind other) {
        return new SqlKind(
                writes || other.writes,
                control || other.control,
                inserts || other.inserts,
                reusable && other.reusable,
                readOnly || other.readOnly,
                busyTimeout || other.busyTimeout,
                "");
    }

    /** Tells statements apart. Confined to one call. */
    private static final class Reader {
        private final String sql;
        private final SqlTokens tokens;

        Reader(String sql) {
            this.sql = sql;
            this.tokens = new SqlTokens(sql, SqlTokens.Dialect.SQLITE);
        }

        /** The first statement that is not empty. */
        SqlKind first() {
            String word = tokens.next();
            while (word.isEmpty() && tokens.nextStatement()) {
                word = tokens.next();
            }
            return statement(word);
        }

        SqlKind statement() {
            return statement(tokens.next());
        }

        private SqlKind statement(String word) {
            return switch (word) {
                case "SELECT", "VALUES", "" -> QUERY;
                case "UPDATE", "DELETE" -> CHANGE;
                case "ATTACH", "DETACH", "BACKUP" -> READ;
                case "EXPLAIN" -> perhapsPragma(false); // some pragmas act while they are prepared
                case "INSERT", "REPLACE" -> INSERT;
                case "WITH" -> afterWith();
                case "PRAGMA" -> pragma();
                case "BEGIN" -> begin();
                case "COMMIT", "END", "SAVEPOINT", "RELEASE" -> CONTROL;
                case "ROLLBACK" -> ROLLBACK;
                case "RESTORE" -> RESTORE;
                default -> WRITE;
            };
        }

        private SqlKind begin() {
            return switch (tokens.next()) {
                case "IMMEDIATE", "EXCLUSIVE" -> CONTROL_OF_WRITER;
                default -> CONTROL;
            };
        }

        private SqlKind pragma() {
            String name = tokens.next();
            String next = tokens.next();
            if (next.equals(".")) { // the name of a schema stands first
                name = tokens.next();
                next = tokens.next();
            }
            name = name.substring(name.startsWith("\"") || name.startsWith("'") ? 1 : 0);
            boolean hasArgument = next.equals("=") || next.equals("(");
            return perhapsPragma(WORKING_PRAGMAS.contains(name) || (hasArgument && WRITING_PRAGMAS.contains(name)));
        }

        private SqlKind perhapsPragma(boolean writes) {
            return new SqlKind(writes, false, false, false, mentions("query_only"), mentions("busy_timeout"), "");
        }

        private boolean mentions(String name) {
            return sql.toLowerCase(Locale.ROOT).contains(name);
        }

        /** The statement behind common table expressions, which stand in parentheses. */
        private SqlKind afterWith() {
            int depth = 0;
            for (String token = tokens.next(); !token.isEmpty(); token = tokens.next()) {
                depth += token.equals("(") ? 1 : token.equals(")") ? -1 : 0;
                if (depth == 0) {
                    switch (token) {
                        case "SELECT", "VALUES" -> {
                            return QUERY;
                        }
                        case "INSERT", "REPLACE" -> {
                            return INSERT;
                        }
                        case "UPDATE", "DELETE" -> {
                            return CHANGE;
                        }
                        default -> {}
                    }
                }
            }
            return WRITE;
        }
    }
}
