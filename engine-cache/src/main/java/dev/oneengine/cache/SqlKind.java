package dev.oneengine.cache;

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
            "application_id", "auto_vacuum", "encoding", "journal_mode", "page_size", "schema_version", "user_version");

    /** The pragmas that change the database file in any case. */
    private static final Set<String> WORKING_PRAGMAS = Set.of("incremental_vacuum", "optimize", "wal_checkpoint");

    /** What a prepared statement runs: the first statement of a text. */
    static SqlKind of(String sql) {
        return new Scanner(sql).first();
    }

    /** What a text runs when all of its statements are executed. */
    static SqlKind ofScript(String sql) {
        Scanner scanner = new Scanner(sql);
        SqlKind all = scanner.first();
        while (scanner.hasMore()) {
            all = all.and(scanner.first());
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

    /** Reads words and skips all between them. Confined to one call. */
    private static final class Scanner {
        private final String sql;
        private int at;

        Scanner(String sql) {
            this.sql = sql;
        }

        SqlKind first() {
            skipBlanks(';');
            return switch (word()) {
                case "select", "values" -> QUERY;
                case "update", "delete" -> CHANGE;
                case "attach", "detach", "backup", "" -> READ;
                case "explain" -> perhapsPragma(false); // some pragmas act while they are prepared
                case "insert", "replace" -> INSERT;
                case "with" -> afterWith();
                case "pragma" -> pragma();
                case "begin" -> begin();
                case "commit", "end", "savepoint", "release" -> CONTROL;
                case "rollback" -> ROLLBACK;
                case "restore" -> RESTORE;
                default -> WRITE;
            };
        }

        private SqlKind begin() {
            skipBlanks(' ');
            return switch (word()) {
                case "immediate", "exclusive" -> CONTROL_OF_WRITER;
                default -> CONTROL;
            };
        }

        private SqlKind pragma() {
            String name = name();
            skipBlanks(' ');
            if (at < sql.length() && sql.charAt(at) == '.') { // the name of a schema stands first
                at++;
                name = name();
            }
            skipBlanks(' ');
            boolean hasArgument = at < sql.length() && (sql.charAt(at) == '=' || sql.charAt(at) == '(');
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
            while (at < sql.length()) {
                skipBlanksAndQuotes();
                String word = word();
                if (word.isEmpty()) {
                    char c = at < sql.length() ? sql.charAt(at++) : ' ';
                    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                } else if (depth == 0) {
                    switch (word) {
                        case "select", "values" -> {
                            return QUERY;
                        }
                        case "insert", "replace" -> {
                            return INSERT;
                        }
                        case "update", "delete" -> {
                            return CHANGE;
                        }
                        default -> {}
                    }
                }
            }
            return WRITE;
        }

        /** Whether another statement follows; that a trigger's body looks like one does no harm. */
        boolean hasMore() {
            while (at < sql.length()) {
                skipBlanksAndQuotes();
                if (at < sql.length() && sql.charAt(at) == ';') {
                    skipBlanks(';');
                    return at < sql.length();
                }
                if (word().isEmpty()) {
                    at++;
                }
            }
            return false;
        }

        private String word() {
            int from = at;
            while (at < sql.length() && Character.isUnicodeIdentifierPart(sql.charAt(at))) {
                at++;
            }
            return sql.substring(from, at).toLowerCase(Locale.ROOT);
        }

        /** A word that may be quoted. */
        private String name() {
            skipBlanks(' ');
            int from = at;
            skipQuotes();
            return from == at
                    ? word()
                    : sql.substring(from + 1, Math.max(from + 1, at - 1)).toLowerCase(Locale.ROOT);
        }

        private void skipBlanksAndQuotes() {
            int before = -1;
            while (at != before) {
                before = at;
                skipBlanks(' ');
                skipQuotes();
            }
        }

        /** Skips blanks, comments and one more character. */
        private void skipBlanks(char blank) {
            while (at < sql.length()) {
                char c = sql.charAt(at);
                if (Character.isWhitespace(c) || c == blank || c == '\uFEFF') {
                    at++;
                } else if (sql.startsWith("--", at)) {
                    skipBehind("\n", at);
                } else if (sql.startsWith("/*", at)) {
                    skipBehind("*/", at + 2);
                } else {
                    return;
                }
            }
        }

        private void skipQuotes() {
            char c = at < sql.length() ? sql.charAt(at) : ' ';
            if (c == '\'' || c == '"' || c == '`') {
                skipBehind(String.valueOf(c), at + 1);
            } else if (c == '[') {
                skipBehind("]", at);
            }
        }

        private void skipBehind(String end, int from) {
            int found = sql.indexOf(end, from);
            at = found < 0 ? sql.length() : found + end.length();
        }
    }
}
