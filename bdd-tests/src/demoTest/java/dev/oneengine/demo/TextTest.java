package dev.oneengine.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTest {
    @Test
    void text_breaks_at_blanks() {
        assertThat(Wrapping.wrap("one two three four", 9)).containsExactly("one two", "three", "four");
        assertThat(Wrapping.wrap(" short ", 9)).containsExactly("short");
        assertThat(Wrapping.wrap("", 9)).containsExactly("");
        assertThat(Wrapping.wrap("exact fit", 9)).containsExactly("exact fit");
    }

    @Test
    void a_word_longer_than_a_line_breaks() {
        assertThat(Wrapping.wrap("abcdefgh ij", 3)).containsExactly("abc", "def", "gh", "ij");
    }

    @Test
    void colours_require_the_option_and_an_unset_NO_COLOR() {
        assertThat(Style.of(List.of("page", "--colour"), null)).isEqualTo(Style.COLOUR);
        assertThat(Style.of(List.of("page", "--colour"), "")).isEqualTo(Style.COLOUR);
        assertThat(Style.of(List.of("page", "--colour"), "1")).isEqualTo(Style.PLAIN);
        assertThat(Style.of(List.of("page"), null)).isEqualTo(Style.PLAIN);
    }

    @Test
    void markup_characters_are_escaped() {
        assertThat(Svg.escape("<a href=\"x\">&'</a>")).isEqualTo("&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;");
    }
}
