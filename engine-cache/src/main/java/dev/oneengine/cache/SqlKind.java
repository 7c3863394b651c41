package dev.oneengine.cache;

import dev.oneengine.cache.internal.SqlTokens;
import java.util.Locale;
import java.util.Set;

/**
 * The kind of an SQL text: whether it reads, writes or ends a transaction, before SQLite runs it. A mistake affects the order in the queue,
 * never correctness, because SQLite's own locks still hold. Immutable and thread-safe.
 *
 * @param writes whether the text needs the lock of a writer
 * @param control whether it may begin or end a transaction, so that the connection must check the transaction afterwards
 * @param inserts whether it may generate a key
 * @param reusable whether to keep it prepared: it queries or changes rows, and has no effect while it is prepared
 * @param readOnly whether it may switch {@code query_only}
 * @param busyTimeout whether it may set SQLite's own busy handler
 * @param verb {@code rollback}, {@code restore}, or the empty text for any other statement
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

    /** The pragmas that change the database file if they have an argument. Without an argument they only read. */
    private static final Set<String> WRITING_PRAGMAS = Set.of(
            "APPLICATION_ID", "AUTO_VACUUM", "ENCODING", "JOURNAL_MODE", "PAGE_SIZE", "SCHEMA_VERSION", "USER_VERSION");

    /** The pragmas that always change the database file. */
    private static final Set<String> WORKING_PRAGMAS = Set.of("INCREMENTAL_VACUUM", "OPTIMIZE", "WAL_CHECKPOINT");

    /** Returns the kind of the first statement of a text. A prepared statement runs only that. */
    static SqlKind of(String sql) {
        return new Reader(sql).first();
    }

    /** Returns the kind of all statements of a text together. Counting the body of a trigger is harmless. */
    static SqlKind ofScript(String sql) {
        Reader reader = new Reader(sql);
        SqlKind all = reader.first();
        while (reader.tokens.nextStatement()) {
            all = all.and(reader.statement());
        }
        return all;
    }

    /** Whether it only reads rows, so that {@code query_only} does not matter. */
    boolean isQuery() {
        return reusable && !writes;
    }

    /** Returns the kind of two texts together. */
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

    /** Classifies the statements of one text. Confined to its thread. */
    private static final class Reader {
        private final String sql;
        private final SqlTokens tokens;

        Reader(String sql) {
            this.sql = sql;
            this.tokens = new SqlTokens(sql, SqlTokens.Dialect.SQLITE);
        }

        /** Returns the kind of the first statement that is not empty. */
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
                case "BEGIN" -> kindOfBegin();
                case "COMMIT", "END", "SAVEPOINT", "RELEASE" -> CONTROL;
                case "ROLLBACK" -> ROLLBACK;
                case "RESTORE" -> RESTORE;
                default -> WRITE;
            };
        }

        private SqlKind kindOfBegin() {
            return switch (tokens.next()) {
                case "IMMEDIATE", "EXCLUSIVE" -> CONTROL_OF_WRITER;
                default -> CONTROL;
            };
        }

        private SqlKind pragma() {
            String name = tokens.next();
            String next = tokens.next();
            if (next.equals(".")) { // PRAGMA schema.name
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

        /** Returns the kind of the statement after common table expressions, which stand in parentheses. */
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
