package dev.oneengine.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds SQL that would end a transaction, or change its kind, behind the back of its owner: not by understanding it, but by
 * the words that its statements begin with. For one thread and one text.
 */
final class TransactionSql {
    /** So many words tell what a statement is. */
    private static final int WORDS = 5;

    /** What a transaction statement can begin with; most texts are told apart by their first letter. */
    private static final String FIRST_LETTERS = "ABCDEPRS";

    private final String sql;
    private final boolean sqlite;
    private int position;

    private TransactionSql(String sql, boolean sqlite) {
        this.sql = sql;
        this.sqlite = sqlite;
    }

    /**
     * The first statement that is not a participant's to execute.
     *
     * @param sql one statement or several
     * @param sqlite whether names may be quoted in SQLite's ways, or strings in PostgreSQL's
     * @return the words that it begins with, or {@code null} if there is none
     */
    static @Nullable String find(String sql, boolean sqlite) {
        return isPlain(sql) ? null : new TransactionSql(sql, sqlite).find();
    }

    /** Whether a text can be but one statement, of another kind: that is quick to see, and nearly always so. */
    private static boolean isPlain(String sql) {
        if (sql.isEmpty() || sql.indexOf(';') >= 0) {
            return false;
        }
        char first = sql.charAt(0);
        return ((first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z'))
                && FIRST_LETTERS.indexOf(Character.toUpperCase(first)) < 0;
    }

    private @Nullable String find() {
        while (position < sql.length()) {
            List<String> words = statement();
            if (isRefused(words)) {
                return String.join(" ", words.subList(0, Math.min(2, words.size())));
            }
        }
        return null;
    }

    private static boolean isRefused(List<String> words) {
        String second = word(words, 1);
        return switch (word(words, 0)) {
            case "BEGIN", "COMMIT", "END", "ABORT", "DISCARD" -> true;
            case "ROLLBACK" -> !second.equals("TO") && !word(words, 2).equals("TO");
            case "START", "PREPARE" -> second.equals("TRANSACTION");
            case "SET" ->
                isOfTransactions(second.equals("SESSION") || second.equals("LOCAL") ? word(words, 2) : second);
            case "RESET" -> second.equals("ALL") || isOfTransactions(second);
            case "PRAGMA" -> setsQueryOnly(words);
            // A command of the driver, which puts the content of a file into the place of everything.
            case "RESTORE" -> true;
            default -> false;
        };
    }

    /** Whether a setting is one of the transaction, or of all that come after it. */
    private static boolean isOfTransactions(String setting) {
        return setting.startsWith("TRANSACTION")
                || setting.startsWith("DEFAULT_TRANSACTION")
                || setting.equals("CHARACTERISTICS");
    }

    private static boolean setsQueryOnly(List<String> words) {
        int name = words.indexOf("QUERY_ONLY");
        return name >= 0
                && (word(words, name + 1).equals("=") || word(words, name + 1).equals("("));
    }

    private static String word(List<String> words, int index) {
        return index < words.size() ? words.get(index) : "";
    }

    /** Reads up to the end of a statement, and returns its first words, in upper case. */
    private List<String> statement() {
        List<String> words = new ArrayList<>(WORDS);
        int blocks = 0;
        while (position < sql.length()) {
            char c = sql.charAt(position);
            if (isWordPart(c)) {
                String word = word();
                if (words.size() < WORDS) {
                    words.add(word);
                }
                if (word.equals("BEGIN") || word.equals("CASE")) {
                    blocks += hasBody(words) ? 1 : 0;
                } else if (blocks > 0 && word.equals("END")) {
                    blocks--;
                }
            } else if (c == ';' && blocks == 0) {
                position++;
                return words;
            } else {
                String token = skip(c);
                if (token != null && !words.isEmpty() && words.size() < WORDS) {
                    words.add(token);
                }
            }
        }
        return words;
    }

    /** Only the body of a trigger, or of a function in the words of SQL, has statements in it. */
    private boolean hasBody(List<String> words) {
        if (!word(words, 0).equals("CREATE")) {
            return false;
        }
        String second = word(words, 1);
        if (sqlite) {
            return second.equals("TRIGGER")
                    || (second.startsWith("TEMP") && word(words, 2).equals("TRIGGER"));
        }
        String kind = second.equals("OR") ? word(words, 3) : second;
        return kind.equals("FUNCTION") || kind.equals("PROCEDURE");
    }

    /** Databases take what is beyond ASCII for letters, but for the mark of byte order, which is a blank. */
    private static boolean isWordPart(char c) {
        return c == '_' || (c < 0x80 ? Character.isLetterOrDigit(c) : c != '\uFEFF');
    }

    private String word() {
        int start = position;
        while (position < sql.length() && (isWordPart(sql.charAt(position)) || sql.charAt(position) == '$')) {
            position++;
        }
        if (position - start == 1 && position < sql.length() && sql.charAt(position) == '\'' && !sqlite) {
            char prefix = sql.charAt(start);
            if (prefix == 'E' || prefix == 'e') {
                skipEscaped();
            }
        }
        return sql.substring(start, position).toUpperCase(Locale.ROOT);
    }

    /**
     * Skips what is neither a word nor the end of a statement.
     *
     * @return a quoted name, or what sets a pragma; {@code null} for a string, a comment, a parameter or any other character
     */
    private @Nullable String skip(char c) {
        int start = position;
        if (c == '"' || (sqlite && (c == '`' || c == '['))) {
            skipTo(c == '[' ? "]" : String.valueOf(c), position + 1);
            return sql.substring(start + 1, Math.max(start + 1, position - 1)).toUpperCase(Locale.ROOT);
        }
        if (c == '\'') {
            skipTo("'", position + 1);
        } else if (sql.startsWith("--", position)) {
            skipLineComment();
        } else if (sql.startsWith("/*", position)) {
            skipComment();
        } else if (sqlite && "$@:#".indexOf(c) >= 0) {
            skipParameter();
        } else if (!sqlite && c == '$') {
            skipDollarQuoted();
        } else {
            position++;
            return c == '=' || c == '(' ? String.valueOf(c) : null;
        }
        return null;
    }

    private void skipLineComment() {
        int end = position;
        while (end < sql.length() && sql.charAt(end) != '\n' && (sqlite || sql.charAt(end) != '\r')) {
            end++;
        }
        position = end;
    }

    /** In PostgreSQL there may be comments in a comment. */
    private void skipComment() {
        int depth = 0;
        do {
            if (sql.startsWith("/*", position) && (depth == 0 || !sqlite)) {
                depth++;
                position += 2;
            } else if (sql.startsWith("*/", position)) {
                depth--;
                position += 2;
            } else {
                position++;
            }
        } while (depth > 0 && position < sql.length());
    }

    /** {@code $name}, in SQLite also {@code $name(anything but a blank)}, as it has that from Tcl. */
    private void skipParameter() {
        position++;
        while (position < sql.length() && isParameterPart(sql.charAt(position))) {
            position++;
        }
        if (position < sql.length() && sql.charAt(position) == '(') {
            while (position < sql.length()
                    && sql.charAt(position) != ')'
                    && !Character.isWhitespace(sql.charAt(position))) {
                position++;
            }
        }
    }

    private static boolean isParameterPart(char c) {
        return c == ':' || isWordPart(c);
    }

    private void skipTo(String end, int from) {
        int found = sql.indexOf(end, from);
        position = found < 0 ? sql.length() : found + end.length();
    }

    /** {@code E'it\'s'} */
    private void skipEscaped() {
        int i = position + 1;
        while (i < sql.length() && sql.charAt(i) != '\'') {
            i += sql.charAt(i) == '\\' ? 2 : 1;
        }
        position = Math.min(i + 1, sql.length());
    }

    /** {@code $tag$ anything $tag$}; a parameter like {@code $1} is none. */
    private void skipDollarQuoted() {
        int tagEnd = position + 1;
        while (tagEnd < sql.length() && isTagPart(sql.charAt(tagEnd))) {
            tagEnd++;
        }
        if (tagEnd < sql.length() && sql.charAt(tagEnd) == '$' && !Character.isDigit(sql.charAt(position + 1))) {
            skipTo(sql.substring(position, tagEnd + 1), tagEnd + 1);
        } else {
            position++;
        }
    }

    private static boolean isTagPart(char c) {
        return isWordPart(c);
    }
}
