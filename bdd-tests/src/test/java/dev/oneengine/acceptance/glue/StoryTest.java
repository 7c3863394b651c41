package dev.oneengine.acceptance.glue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.acceptance.Identity;
import dev.oneengine.acceptance.glue.Story.Event;
import dev.oneengine.acceptance.glue.Story.Kind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoryTest {
    private final Story story = new Story();

    @AfterEach
    void forget() {
        Expect.belongTo(null);
    }

    private static Event event(String thread, Kind kind, String text) {
        return new Event(thread, kind, text);
    }

    @Test
    void each_of_a_few_threads_has_a_column() {
        String text = StoryText.of(List.of(
                event("A", Kind.CALL, "asks for the engine of \"plans\""),
                event("racer 1", Kind.FAIL, "fails: " + "a very long reason ".repeat(4))));
        assertThat(text.lines())
                .containsExactly(
                        "What the threads did, in this order:",
                        "     | thread A                                             | racer 1",
                        "   1 | > asks for the engine of \"plans\"                     |",
                        "   2 |                                                      | x fails: a very long reason a very long reason a",
                        "     |                                                      |   very long reason a very long reason");
    }

    @Test
    void a_word_wider_than_its_column_is_split() {
        String text = StoryText.of(List.of(event("A", Kind.CALL, "x".repeat(60)), event("B", Kind.CALL, "asks")));
        assertThat(text).contains("   " + "x".repeat(40)).doesNotContain("x".repeat(60));
        assertThat(text.chars().filter(character -> character == 'x')).hasSize(60);
    }

    @Test
    void each_of_many_threads_has_a_lane() {
        List<Event> events = IntStream.range(0, 5)
                .mapToObj(i -> event("racer " + i, Kind.CREATE, "creates"))
                .toList();
        assertThat(StoryText.of(events).lines()).contains("   3 ..*.. racer 2: creates");
    }

    @Test
    void a_long_story_is_cut_in_the_middle() {
        List<Event> events = IntStream.rangeClosed(1, 100)
                .mapToObj(i -> event("A", Kind.CALL, "step " + i))
                .toList();
        assertThat(StoryText.of(events)).contains("step 30\n     ... and 40 more ...\n  71 | > step 71");
        assertThat(StoryText.of(List.of())).isEmpty();
    }

    @Test
    void the_drawing_has_a_mark_for_each_event() {
        List<Event> events = List.of(
                event("A", Kind.CALL, "a < b & c"),
                event("B", Kind.CREATE, ""),
                event("A", Kind.WAIT, ""),
                event("B", Kind.RETURN, ""),
                event("A", Kind.FAIL, ""));
        assertThat(StoryDrawing.svg(events))
                .startsWith("<svg ")
                .contains("thread A: a &lt; b &amp; c")
                .endsWith("</svg>");
        assertThat(StoryDrawing.svg(events).split("<circle")).hasSize(6);
    }

    @Test
    void a_call_records_its_result_or_failure() throws Exception {
        assertThat(story.call("asks", () -> 7, number -> "gets " + number)).isEqualTo(7);
        assertThatThrownBy(() -> story.call(
                        "asks",
                        () -> {
                            throw new IllegalStateException("no\nsecond line");
                        },
                        "never"))
                .hasMessageStartingWith("no");
        assertThat(story.events())
                .extracting(Event::kind, Event::text)
                .extracting(tuple -> tuple.toList().toString())
                .containsExactly("[CALL, asks]", "[RETURN, gets 7]", "[CALL, asks]", "[FAIL, fails: no]");
    }

    @Test
    void a_check_that_fails_shows_the_story() {
        story.add(Thread.currentThread(), Kind.CALL, "asks");
        Expect.belongTo(story);
        Identity one = Identity.of(new Object());
        Identity two = Identity.of(new Object());
        assertThat(story.engine(one)).isEqualTo("engine 1");
        assertThatThrownBy(() -> Expect.assertThat(two).as("the engine").isEqualTo(one))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(
                        "the engine: expected engine 1, but was engine 2", "What the threads did", "> asks");
        Expect.belongTo(null);
        assertThatThrownBy(() -> Expect.assertThat(2).isEqualTo(1)).hasMessage("expected 1, but was 2");
        assertThatThrownBy(() -> Expect.assertThat(two).isEqualTo(one))
                .as("without a story")
                .hasMessage("expected " + one + ", but was " + two);
    }

    @Test
    void each_check_passes_or_fails_with_its_message() {
        Object object = new Object();
        Expect.assertThat(object).isSameAs(object).isNotNull().isNotEqualTo(1);
        Expect.assertThat(true).isTrue();
        Expect.assertThat(false).isFalse();
        Expect.assertThat(null).isNull();
        Expect.assertThat(3).isAtLeast(3);
        Expect.assertThat(List.of()).isEmpty().hasSize(0);
        Expect.assertThat(List.of(1)).isNotEmpty().contains(1).doesNotContain(2).containsExactly(1);
        Expect.assertThat("text").contains("ex").doesNotContain("y");
        assertThatThrownBy(() -> Expect.assertThat(object).isSameAs(1)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> Expect.assertThat("a").isNotEqualTo("A".toLowerCase(java.util.Locale.ROOT)))
                .hasMessage("expected anything but a, but was a");
        assertThatThrownBy(() -> Expect.assertThat(2).isAtLeast(3)).hasMessage("expected at least 3, but was 2");
        assertThatThrownBy(() -> Expect.assertThat(new IllegalStateException("disk full"))
                        .isNull())
                .hasMessageContaining("disk full")
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Expect.assertThat(List.of(1)).isEmpty()).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> Expect.assertThat(List.of(1)).containsExactly(1, 2))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> Expect.assertThat("text").contains("y")).isInstanceOf(AssertionError.class);
    }

    @Test
    void each_check_fails_for_a_value_of_the_wrong_type() {
        assertThatThrownBy(() -> Expect.assertThat("3").isAtLeast(3)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> Expect.assertThat(List.of()).isNotEmpty()).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> Expect.assertThat(List.of()).hasSize(1)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> Expect.assertThat(null).isNotNull()).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> Expect.assertThat(List.of(1)).doesNotContain(1))
                .isInstanceOf(AssertionError.class);
        Expect.assertThat(1).isEmpty();
        Expect.belongTo(story);
        assertThatThrownBy(() -> Expect.assertThat(1).isEqualTo(2)).hasMessage("expected 2, but was 1");
    }
}
