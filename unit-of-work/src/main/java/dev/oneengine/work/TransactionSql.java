package dev.oneengine.work;

import dev.oneengine.cache.internal.SqlTokens;
import dev.oneengine.cache.internal.SqlTokens.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds SQL that begins or ends a transaction, or switches its mode: participants of a unit must not run it. Only the first tokens of a
 * statement matter; {@link SqlTokens} splits the text into statements. Confined to one call.
 */
final class TransactionSql {
    /** The number of tokens that matter, as in {@code PRAGMA schema.name =}. */
    private static final int TOKENS = 5;

    private static final Set<String> EXPLAIN = Set.of("EXPLAIN", "QUERY", "PLAN");

    /** The first words of the statements that are rejected or have a body. */
    private static final Set<String> FIRST_WORDS = Set.of(
            "ABORT",
            "BEGIN",
            "COMMIT",
            "CREATE",
            "DISCARD",
            "END",
            "PRAGMA",
            "PREPARE",
            "RESET",
            "RESTORE",
            "ROLLBACK",
            "SET",
            "START");

    private static final Set<String> QUERY_ONLY = Set.of("QUERY_ONLY", "\"QUERY_ONLY", "'QUERY_ONLY");

    private final SqlTokens tokens;
    private final boolean sqlite;

    /** Whether the next statement is in the body of a trigger or function. */
    private boolean inBody;

    private TransactionSql(String sql, Dialect dialect) {
        this.tokens = new SqlTokens(sql, dialect);
        this.sqlite = dialect == Dialect.SQLITE;
    }

    /**
     * Returns the first words of the first statement that only the owner of the transaction may run.
     *
     * @param sql one statement or several
     * @return {@code null} if there is no such statement
     */
    static @Nullable String find(String sql, Dialect dialect) {
        return new TransactionSql(sql, dialect).find();
    }

    private @Nullable String find() {
        do {
            String words = statement();
            if (words != null) {
                return words;
            }
        } while (tokens.nextStatement());
        return null;
    }

    private @Nullable String statement() {
        String first = tokens.next();
        while (first.equals("(") || first.equals("{")) {
            first = tokens.next();
        }
        boolean explained = first.equals("EXPLAIN");
        while (explained && EXPLAIN.contains(first)) {
            first = tokens.next();
        }
        if (inBody && first.equals("END")) {
            inBody = false;
        } else if (FIRST_WORDS.contains(first)) { // for nearly every statement, the first word decides
            List<String> head = head(first);
            // SQLite runs a pragma while it prepares it, even for EXPLAIN.
            if (isRejected(head) && (!explained || first.equals("PRAGMA"))) {
                return describe(head);
            }
            inBody |= opensBody(head);
        }
        return null;
    }

    private List<String> head(String first) {
        List<String> head = new ArrayList<>(TOKENS);
        head.add(first);
        while (head.size() < TOKENS && !last(head).isEmpty()) {
            head.add(tokens.next());
        }
        return head;
    }

    private static String last(List<String> head) {
        return head.get(head.size() - 1);
    }

    private static String describe(List<String> head) {
        String second = token(head, 1);
        return second.isEmpty() || !Character.isLetter(second.charAt(0)) ? head.get(0) : head.get(0) + " " + second;
    }

    private static String token(List<String> head, int index) {
        return index < head.size() ? head.get(index) : "";
    }

    private static boolean isRejected(List<String> head) {
        return switch (head.get(0)) {
            case "BEGIN", "COMMIT", "END", "ABORT" -> true;
            case "ROLLBACK" -> !head.contains("TO");
            case "START", "PREPARE" -> token(head, 1).equals("TRANSACTION");
            case "DISCARD" -> token(head, 1).equals("ALL");
            case "SET" -> isTransactionMode(head, afterScope(head));
            case "RESET" -> token(head, 1).equals("ALL") || isTransactionMode(head, 1);
            case "PRAGMA" -> setsQueryOnly(head);
            // A command of SQLite's driver that replaces the database with the content of a file.
            case "RESTORE" -> true;
            default -> false;
        };
    }

    private static int afterScope(List<String> head) {
        int name = 1;
        while (token(head, name).equals("SESSION") || token(head, name).equals("LOCAL")) {
            name++;
        }
        return name;
    }

    /** Whether a setting is a mode of this transaction or of later ones. */
    private static boolean isTransactionMode(List<String> head, int index) {
        if (token(head, index + 1).equals(".")) {
            return false; // a setting of an extension
        }
        String name = token(head, index);
        if (name.startsWith("U&")
                && (name.indexOf('\\') >= 0 || token(head, index + 1).equals("UESCAPE"))) {
            return true; // the escapes may spell any name
        }
        return switch (name.substring(name.indexOf('"') + 1)) {
            case "TRANSACTION", "CHARACTERISTICS" -> true;
            case "TRANSACTION_ISOLATION", "TRANSACTION_READ_ONLY", "TRANSACTION_DEFERRABLE" -> true;
            case "DEFAULT_TRANSACTION_ISOLATION", "DEFAULT_TRANSACTION_READ_ONLY", "DEFAULT_TRANSACTION_DEFERRABLE" ->
                true;
            default -> false;
        };
    }

    private static boolean setsQueryOnly(List<String> head) {
        int name = token(head, 2).equals(".") ? 3 : 1;
        String next = token(head, name + 1);
        return QUERY_ONLY.contains(token(head, name)) && (next.equals("=") || next.equals("("));
    }

    /**
     * Whether the next statements are the body of a trigger in SQLite or of a function in PostgreSQL. The word END, as
     * a statement, ends a body. The database rejects a body without END.
     */
    private boolean opensBody(List<String> head) {
        if (!head.get(0).equals("CREATE")) {
            return false;
        }
        String second = token(head, 1);
        if (sqlite) {
            return second.equals("TRIGGER")
                    || (second.startsWith("TEMP") && token(head, 2).equals("TRIGGER"));
        }
        int kind = second.equals("OR") ? 3 : 1;
        return (token(head, kind).equals("FUNCTION") || token(head, kind).equals("PROCEDURE"))
                && hasBodyOfStatements(head);
    }

    /** Whether BEGIN ATOMIC is outside of parentheses, and END does not follow at once. */
    private boolean hasBodyOfStatements(List<String> head) {
        int depth = 0;
        String beforeLast = "";
        String last = "";
        for (int i = 0; ; i++) {
            String token = i < head.size() ? head.get(i) : tokens.next();
            if (depth == 0 && beforeLast.equals("BEGIN") && last.equals("ATOMIC")) {
                return !token.equals("END");
            }
            if (token.isEmpty()) {
                return false;
            }
            depth += token.equals("(") ? 1 : token.equals(")") ? -1 : 0;
            beforeLast = last;
            last = token;
        }
    }
}
