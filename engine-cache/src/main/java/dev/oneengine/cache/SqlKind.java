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
 * @param pragma the name of a pragma, or an empty string
 */
record SqlKind(boolean writes, boolean control, boolean inserts, String pragma) {
    static final SqlKind READ = new SqlKind(false, false, false, "");
    static final SqlKind WRITE = new SqlKind(true, false, false, "");
    private static final SqlKind INSERT = new SqlKind(true, false, true, "");
    private static final SqlKind CONTROL = new SqlKind(false, true, false, "");

    /** A text of several statements may do anything. */
    private static final SqlKind SCRIPT = new SqlKind(true, true, true, "");

    static final String QUERY_ONLY = "query_only";
    static final String BUSY_TIMEOUT = "busy_timeout";

    /** The pragmas that change the database file. All others read it, or concern the connection alone. */
    private static final Set<String> WRITING_PRAGMAS = Set.of(
            "application_id",
            "auto_vacuum",
            "encoding",
            "incremental_vacuum",
            "journal_mode",
            "optimize",
            "page_size",
            "schema_version",
            "user_version",
            "wal_checkpoint");

    /** What a prepared statement runs: the first statement of a text. */
    static SqlKind of(String sql) {
        return new Scanner(sql).first();
    }

    /** What a text runs when all of its statements are executed. */
    static SqlKind ofScript(String sql) {
        Scanner scanner = new Scanner(sql);
        SqlKind first = scanner.first();
        return scanner.hasMore() ? SCRIPT : first;
    }

    /** What two texts run together. */
    SqlKind and(SqlKind other) {
        return equals(other) ? this : SCRIPT;
    }

    boolean is(String pragmaName) {
        return pragma.equals(pragmaName);
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
                case "select", "values", "explain", "attach", "detach", "backup", "" -> READ;
                case "insert", "replace" -> INSERT;
                case "with" -> afterWith();
                case "pragma" -> pragma();
                case "begin" -> begin();
                case "commit", "end", "rollback", "savepoint", "release" -> CONTROL;
                default -> WRITE;
            };
        }

        private SqlKind begin() {
            skipBlanks(' ');
            return switch (word()) {
                case "immediate", "exclusive" -> new SqlKind(true, true, false, "");
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
            return new SqlKind(WRITING_PRAGMAS.contains(name), false, false, name);
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
                            return READ;
                        }
                        case "insert", "replace" -> {
                            return INSERT;
                        }
                        case "update", "delete" -> {
                            return WRITE;
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
            return from == at ? word() : sql.substring(from + 1, at - 1).toLowerCase(Locale.ROOT);
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
