package dev.oneengine.cache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.internal.SqlTokens.Dialect;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTokensTest {
    /** The tokens of all statements; a semicolon separates statements. */
    private static String tokens(String sql, Dialect dialect) {
        SqlTokens tokens = new SqlTokens(sql, dialect);
        List<String> all = new ArrayList<>();
        do {
            if (!all.isEmpty()) {
                all.add(";");
            }
            for (String token = tokens.next(); !token.isEmpty(); token = tokens.next()) {
                all.add(token);
            }
            assertThat(tokens.next()).isEmpty();
        } while (tokens.nextStatement());
        return String.join(" ", all);
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void words_names_strings_and_other_characters_become_tokens(Dialect dialect) {
        assertThat(tokens("Select a.\"b\"\"c\", 'it''s' || x1_$é FROM t -- ;\n/* ; */;", dialect))
                .isEqualTo("SELECT A . \"B\"\"C , 'IT''S | | X1_$É FROM T");
        assertThat(tokens("a;;b ; ';' \";\" - / 1", dialect)).isEqualTo("A ; ; B ; '; \"; - / 1");
        assertThat(tokens("", dialect)).isEmpty();
        assertThat(tokens(" ;; ", dialect)).isEmpty();
        assertThat(tokens("'open", dialect)).startsWith("'");
        assertThat(tokens("a /* open ; b", dialect)).isEqualTo("A");
        assertThat(tokens("a -- open ; b", dialect)).isEqualTo("A");
        assertThat(tokens("a \"open ; b", dialect)).startsWith("A \"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "`a;``b` [c;'d] e                  | \"A;``B \"C;'D E",
                "[open ; a                         | ~\"OPEN ; ~",
                "/* /* */ a */                     | A * /",
                "$a $a::b ::c @b :c #d ? ?1 $      | ? ? : ? ? ? ? ? ? 1 $",
                "$a(;b) c                          | ? C",
                "$a(; b                            | ? B",
                "$(a) @                            | $ ( A ) @",
                "$a(                               | ?",
                "E'a\\' ; b'                       | E 'A\\ ; B '",
                "U&\"a\"                           | U & \"A"
            })
    void the_syntax_of_sqlite_is_recognised(String sql, String tokens) {
        assertThat(tokens(sql, Dialect.SQLITE)).isEqualTo(tokens);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a[1] `                            | A [ 1 ] `",
                "/* /* ; */ ; */ a                 | A",
                "$$a;b$$ $x$ ; $$ $x$ $1 $         | ' ' $ 1 $",
                "$a                                | $ A",
                "$x$ open                          | '",
                "E'a\\'b' e'\\'' ae'c\\'           | ' ' AE 'C\\",
                "$0$ a $9$ b                       | $ 0$ A $ 9$ B",
                "U&\"a\" u& \"b\" U&'c'            | U&\"A U & \"B U & 'C",
                "@ : # ?                           | @ : # ?"
            })
    void the_syntax_of_postgresql_is_recognised(String sql, String tokens) {
        assertThat(tokens(sql, Dialect.POSTGRESQL)).isEqualTo(tokens);
    }

    @ParameterizedTest
    @ValueSource(chars = {' ', '\t', '\n', '\u000b', '\f', '\r'})
    void whitespace_ends_a_parameter_of_sqlite(char blank) {
        assertThat(tokens("$a(;" + blank + "b", Dialect.SQLITE)).isEqualTo("? B");
        assertThat(tokens("$a(;\b;\u000e;!)b", Dialect.SQLITE)).isEqualTo("? B");
    }

    @Test
    void a_byte_order_mark_is_whitespace_for_sqlite_and_a_letter_for_postgresql() {
        assertThat(tokens("\uFEFFa \uFEFF b\uFEFF", Dialect.SQLITE)).isEqualTo("A B\uFEFF");
        assertThat(tokens("\uFEFFa b", Dialect.POSTGRESQL)).isEqualTo("\uFEFFA B");
    }

    @Test
    void line_ends_are_recognised_as_in_the_database() {
        assertThat(tokens("a -- b\r c", Dialect.SQLITE)).isEqualTo("A");
        assertThat(tokens("a -- b\r c", Dialect.POSTGRESQL)).isEqualTo("A C");
        assertThat(tokens("E'a'\n 'b\\'c' d", Dialect.POSTGRESQL)).isEqualTo("' D");
        assertThat(tokens("E'a'-- '\r--\n'b\\'c' d", Dialect.POSTGRESQL)).isEqualTo("' D");
        assertThat(tokens("E'a' 'b\\' c", Dialect.POSTGRESQL)).endsWith(" C");
        assertThat(tokens("E'a'\n- c", Dialect.POSTGRESQL)).endsWith(" - C");
        assertThat(tokens("E'a'\n --", Dialect.POSTGRESQL)).hasSizeLessThan(6);
    }

    @Test
    void backslashes_escape_if_postgresql_is_configured_so() {
        assertThat(tokens("'a\\'b' c", Dialect.POSTGRESQL_WITH_BACKSLASHES)).isEqualTo("'A\\'B C");
        assertThat(tokens("'a\\' c", Dialect.POSTGRESQL)).isEqualTo("'A\\ C");
    }
}
