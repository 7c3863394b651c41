package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.Identity;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks of the scenarios. A failed check shows the steps of the scenario's threads, which no general library knows. Confined to
 * its thread.
 */
final class Expect {
    private static final ThreadLocal<@Nullable Story> STORY = new ThreadLocal<>();

    private final @Nullable Object actual;
    private String description = "";

    private Expect(@Nullable Object actual) {
        this.actual = actual;
    }

    /** Assigns later checks of this thread to a scenario, or to none. */
    static void belongTo(@Nullable Story story) {
        if (story == null) {
            STORY.remove();
        } else {
            STORY.set(story);
        }
    }

    /** A failure with the story of the scenario. */
    static AssertionError failure(String message, @Nullable Throwable cause) {
        Story story = STORY.get();
        String steps = story == null ? "" : StoryText.of(story.events());
        return new AssertionError(steps.isEmpty() ? message : message + "\n\n" + steps, cause);
    }

    static Expect assertThat(@Nullable Object actual) {
        return new Expect(actual);
    }

    /** Checks that there is a failure, and that its message or the message of a cause contains all parts. */
    static void assertSays(@Nullable Throwable failure, String... parts) {
        assertThat(failure).as("the failure").isNotNull();
        assertThat(Failures.text(failure)).as("the message of the failure").contains((Object[]) parts);
    }

    /** Describes the checked value. */
    Expect as(String what) {
        description = what;
        return this;
    }

    private Expect check(boolean met, String expectation) {
        if (met) {
            return this;
        }
        String subject = description.isEmpty() ? "" : description + ": ";
        throw failure(
                subject + "expected " + expectation + ", but was " + shown(actual),
                actual instanceof Throwable t ? t : null);
    }

    private static String shown(@Nullable Object object) {
        Story story = STORY.get();
        if (object instanceof Identity identity && story != null) {
            return story.engine(identity);
        }
        return object instanceof Throwable failure ? Failures.text(failure).strip() : String.valueOf(object);
    }

    Expect isEqualTo(@Nullable Object expected) {
        return check(Objects.equals(actual, expected), shown(expected));
    }

    Expect isNotEqualTo(@Nullable Object other) {
        return check(!Objects.equals(actual, other), "anything but " + shown(other));
    }

    Expect isSameAs(@Nullable Object expected) {
        return check(actual == expected, "the same object as " + expected);
    }

    Expect isTrue() {
        return check(Boolean.TRUE.equals(actual), "true");
    }

    Expect isFalse() {
        return check(Boolean.FALSE.equals(actual), "false");
    }

    Expect isNull() {
        return check(actual == null, "nothing");
    }

    Expect isNotNull() {
        return check(actual != null, "something");
    }

    Expect isAtLeast(int least) {
        return check(actual instanceof Integer number && number >= least, "at least " + least);
    }

    Expect isEmpty() {
        return check(elements().isEmpty(), "nothing");
    }

    Expect isNotEmpty() {
        return check(!elements().isEmpty(), "something");
    }

    Expect hasSize(int size) {
        return check(elements().size() == size, "a size of " + size);
    }

    Expect contains(Object... parts) {
        return check(Arrays.stream(parts).allMatch(this::has), "to find " + Arrays.toString(parts));
    }

    Expect doesNotContain(Object part) {
        return check(!has(part), "not to find " + part);
    }

    Expect containsExactly(Object... expected) {
        return check(List.copyOf(elements()).equals(List.of(expected)), Arrays.toString(expected));
    }

    private boolean has(Object part) {
        return actual instanceof String text
                ? text.contains(part.toString())
                : elements().contains(part);
    }

    private Collection<?> elements() {
        return actual instanceof Collection<?> collection ? collection : List.of();
    }
}
