package dev.oneengine.cache.internal;

import java.util.Locale;

/**
 * Splits SQL into statements and tokens, exactly as the database does. Skips comments and blanks. No other class of One Engine parses
 * quotes. Not thread-safe.
 */
public final class SqlTokens {
    private static final char WORD = 'a';
    private static final char NAME = '"';
    private static final char UNICODE_NAME = 'U';
    private static final char STRING = '\'';
    private static final char PARAMETER = '?';
    private static final char END = ';';
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final String sql;
    private final int end;
    private final Dialect dialect;
    private int start;
    private int position;

    /** How a database reads quotes, comments and parameters. */
    public enum Dialect {
        /** SQLite. */
        SQLITE,
        /** PostgreSQL, where a backslash in a plain string is an ordinary character. */
        POSTGRESQL,
        /** PostgreSQL with {@code standard_conforming_strings = off}, where a backslash escapes the next character. */
        POSTGRESQL_WITH_BACKSLASHES
    }

    /**
     * Creates a reader before the first token of the first statement.
     *
     * @param sql one statement, or several separated by semicolons
     * @param dialect the database that runs them
     */
    public SqlTokens(String sql, Dialect dialect) {
        this.sql = sql;
        this.dialect = dialect;
        int last = sql.length();
        while (last > 0 && (sql.charAt(last - 1) <= ' ' || sql.charAt(last - 1) == ';')) {
            last--;
        }
        this.end = last;
    }

    /**
     * Moves to the next token of the statement.
     *
     * @return a word in upper case; a quoted name in upper case after a {@code "}, or after {@code U&"} if it may have
     *     Unicode escapes; a plain string in upper case after a {@code '}, any other string as a {@code '} alone; {@code ?} for a
     *     named parameter; any other character by itself; an empty text at the end of the statement
     */
    public String next() {
        char kind = scan();
        return switch (kind) {
            case WORD -> upper(start, position);
            case NAME -> NAME + upper(start + 1, position - 1);
            case UNICODE_NAME -> "U&\"" + upper(start + 3, position - 1);
            case STRING -> sql.charAt(start) == '\'' ? STRING + upper(start + 1, position - 1) : "'";
            case END -> {
                position = start;
                yield "";
            }
            default -> String.valueOf(kind);
        };
    }

    /**
     * Skips the rest of the statement. Stops early if no semicolon is left, because then no statement follows.
     *
     * @return whether another statement follows, even an empty one
     */
    public boolean nextStatement() {
        int semicolon = sql.indexOf(';', position);
        if (semicolon < 0 || semicolon >= end) {
            position = end;
            return false;
        }
        while (scan() != END) {
            // skipped
        }
        return position < end;
    }

    private String upper(int from, int to) {
        return sql.substring(from, Math.max(from, to)).toUpperCase(Locale.ROOT);
    }

    private boolean isSqlite() {
        return dialect == Dialect.SQLITE;
    }

    /** Moves past the next token and returns its kind. The end of the text also ends a statement. */
    private char scan() {
        while (position < end) {
            start = position;
            char c = sql.charAt(position);
            if (isWordStart(c)) {
                return word();
            }
            position++;
            switch (c) {
                case '"' -> {
                    skipQuoted('"', false);
                    return NAME;
                }
                case '\'' -> {
                    skipString(dialect == Dialect.POSTGRESQL_WITH_BACKSLASHES);
                    return STRING;
                }
                case '`', '[' -> {
                    if (!isSqlite()) {
                        return c;
                    }
                    if (c == '[') {
                        skipBehind("]");
                    } else {
                        skipQuoted('`', false);
                    }
                    return NAME;
                }
                case '-', '/' -> {
                    if (!skipComment()) {
                        return c;
                    }
                }
                case '$', '@', ':', '#' -> {
                    return isSqlite() ? parameter(c) : c == '$' ? dollar() : c;
                }
                default -> {
                    if (c > ' ' && c != BYTE_ORDER_MARK) {
                        return c;
                    }
                }
            }
        }
        start = end;
        return END;
    }

    /** Both databases treat all characters beyond ASCII as letters. SQLite skips a byte order mark between tokens. */
    private boolean isWordStart(char c) {
        return isWordPart(c) && c != '$' && !(c == BYTE_ORDER_MARK && isSqlite());
    }

    private static boolean isWordPart(char c) {
        return c == '_' || c == '$' || (c < 0x80 ? Character.isLetterOrDigit(c) : true);
    }

    private char word() {
        while (position < end && isWordPart(sql.charAt(position))) {
            position++;
        }
        if (position - start == 1 && !isSqlite()) {
            char prefix = Character.toUpperCase(sql.charAt(start));
            if (prefix == 'E' && sql.startsWith("'", position)) {
                position++;
                skipString(true);
                return STRING;
            }
            if (prefix == 'U' && sql.startsWith("&\"", position)) {
                position += 2;
                skipQuoted('"', false);
                return UNICODE_NAME;
            }
        }
        return WORD;
    }

    /** Skips a string and, in PostgreSQL, its continuation on the next line, where the same escapes hold. */
    private void skipString(boolean backslashes) {
        skipQuoted('\'', backslashes);
        while (backslashes && continues()) {
            skipQuoted('\'', true);
        }
    }

    /** Moves past the closing quote. Two quotes stand for one. */
    private void skipQuoted(char quote, boolean backslashes) {
        while (position < end) {
            char c = sql.charAt(position++);
            if (c == quote) {
                if (position == end || sql.charAt(position) != quote) {
                    return;
                }
                position++;
            } else if (c == '\\' && backslashes) {
                position++;
            }
        }
        position = end;
    }

    /** Moves past the quote of another part of a string, if the next line begins with one. */
    private boolean continues() {
        boolean newLine = false;
        int at = position;
        while (at < end) {
            char c = sql.charAt(at);
            if (sql.startsWith("--", at)) {
                while (at < end && !isNewLine(sql.charAt(at))) {
                    at++;
                }
            } else if (c <= ' ') {
                newLine |= isNewLine(c);
                at++;
            } else {
                break;
            }
        }
        if (newLine && sql.startsWith("'", at)) {
            position = at + 1;
            return true;
        }
        return false;
    }

    private boolean isNewLine(char c) {
        return c == '\n' || (c == '\r' && !isSqlite());
    }

    private void skipBehind(String closing) {
        int found = sql.indexOf(closing, position);
        position = found < 0 ? end : Math.min(end, found + closing.length());
    }

    private boolean skipComment() {
        if (sql.startsWith("--", start)) {
            while (position < end && !isNewLine(sql.charAt(position))) {
                position++;
            }
            return true;
        }
        if (!sql.startsWith("/*", start)) {
            return false;
        }
        position++;
        int depth = 1;
        while (depth > 0 && position < end) {
            if (sql.startsWith("*/", position)) {
                depth--;
                position += 2;
            } else if (!isSqlite() && sql.startsWith("/*", position)) {
                depth++;
                position += 2;
            } else {
                position++;
            }
        }
        position = Math.min(position, end);
        return true;
    }

    /** Skips {@code $name}; in SQLite also {@code $name::part(anything but a blank)}, a form of Tcl. */
    private char parameter(char first) {
        int letters = 0;
        while (position < end) {
            if (isWordPart(sql.charAt(position))) {
                letters++;
                position++;
            } else if (sql.startsWith("::", position)) {
                position += 2;
            } else {
                break;
            }
        }
        if (letters > 0 && position < end && sql.charAt(position) == '(') {
            while (position < end && sql.charAt(position) != ')' && !isSqliteBlank(sql.charAt(position))) {
                position++;
            }
            if (position < end && sql.charAt(position) == ')') {
                position++;
            }
        }
        return letters > 0 ? PARAMETER : first;
    }

    private static boolean isSqliteBlank(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    /** Skips {@code $tag$ anything $tag$}. A parameter such as {@code $1} is not a tag. */
    private char dollar() {
        int tagEnd = position;
        while (tagEnd < end && sql.charAt(tagEnd) != '$' && isWordPart(sql.charAt(tagEnd))) {
            tagEnd++;
        }
        if (tagEnd == end
                || sql.charAt(tagEnd) != '$'
                || (sql.charAt(position) >= '0' && sql.charAt(position) <= '9')) {
            return '$';
        }
        String tag = sql.substring(start, tagEnd + 1);
        position = tagEnd + 1;
        skipBehind(tag);
        return STRING;
    }
}
