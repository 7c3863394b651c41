package dev.oneengine.acceptance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneengine.acceptance.Ability;
import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.Creation;
import dev.oneengine.acceptance.RemoteThread;
import dev.oneengine.testing.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver that breaks the protocol fails its scenario. The message names the violation and shows the standard error. */
@Timeout(60)
class DriverTest {
    private static final Path HERE = Path.of("");

    /** The start of a JVM needs a long limit; a driver that never answers needs only a short one. */
    private static final DriverLimits LIMITS = limits(5, 1, 5);

    private static final DriverLimits PATIENT = limits(20, 20, 20);
    private static final DriverLimits QUICK_TO_END = limits(20, 20, 1);

    private static DriverLimits limits(int hello, int answer, int exit) {
        Duration ofAnswer = Duration.ofSeconds(answer);
        Duration ofExit = Duration.ofSeconds(exit);
        return new DriverLimits(Duration.ofSeconds(hello), ofAnswer, ofAnswer, ofExit, ofExit);
    }

    /** Returns a command with a short classpath, because the messages contain the command. */
    static List<String> command(Class<?> driver, String... arguments) {
        Path classes = Path.of(
                driver.getProtectionDomain().getCodeSource().getLocation().getPath());
        return ChildJvm.of(driver, arguments)
                .quick()
                .options(List.of("-cp", classes.toString()))
                .command();
    }

    private static DriverProcess start(String mode) {
        return start(mode, LIMITS, url -> {});
    }

    private static DriverProcess start(String mode, DriverLimits limits, Creation creation) {
        return DriverProcess.start(command(FakeDriver.class, mode), HERE, limits, creation);
    }

    @ParameterizedTest
    @CsvSource({
        "silent, did not send hello within 5 seconds",
        "other-protocol, speaks protocol 2 instead of 1",
        "dead, exited with status 3 before the end of the scenario"
    })
    void an_invalid_start_of_a_driver_is_reported(String mode, String message) {
        assertThatThrownBy(() -> start(mode))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(message, "FakeDriver " + mode, "I am the driver of mode " + mode);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "garbage|wrote a line that is not a message, expected '{' at character 1: Traceback",
                "too-long|cannot be read: a line has more than 1000000 characters",
                "wrong-answer|answered a call that does not exist or is already answered",
                "unknown-type|sent a message of unknown type",
                "hanging|did not send an answer to {\"type\": \"call\"",
                "dying|exited with status 3 before the end of the scenario"
            })
    void an_invalid_answer_of_a_driver_is_reported(String mode, String message) {
        DriverProcess driver = start(mode);
        assertThatThrownBy(() -> driver.call("engine", "url", "a"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(message, "I am the driver of mode " + mode);
        assertThatThrownBy(() -> driver.call("engine", "url", "b"))
                .as("a later call")
                .hasMessageContaining(message);
        assertThatThrownBy(driver::end).as("the end of the scenario").hasMessageContaining(message);
    }

    @Test
    void a_long_line_is_shortened_in_the_message() {
        DriverProcess driver = start("long-garbage");
        assertThatThrownBy(() -> driver.call("engine", "url", "a"))
                .hasMessageContaining(": " + "x".repeat(300) + "....\n");
    }

    @Test
    void a_driver_that_closes_its_output_too_early_is_reported() {
        DriverProcess driver = start("closing-output", QUICK_TO_END, url -> {});
        assertThatThrownBy(() -> driver.call("engine", "url", "a"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("closed its standard output before the end of the scenario");
    }

    @Test
    void the_last_line_may_lack_a_line_end() {
        DriverProcess driver = start("last-words", PATIENT, url -> {});
        assertThatThrownBy(() -> driver.call("engine", "url", "a"))
                .isInstanceOf(CallFailedException.class)
                .hasMessage("no line end");
        driver.end();
    }

    @Test
    void an_interrupt_ends_the_wait_for_an_answer() {
        DriverProcess driver = start("hanging", PATIENT, url -> {});
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> driver.call("engine", "url", "a"))
                .isInstanceOf(AssertionError.class)
                .hasMessage("Interrupted while waiting for the driver");
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        driver.end();
    }

    @Test
    void only_the_last_lines_of_the_error_output_are_shown() {
        DriverProcess driver = start("verbose");
        await().until(() -> driver.diagnostics().endsWith("error 50"));
        assertThat(driver.diagnostics().lines())
                .hasSize(41)
                .contains("    error 11")
                .doesNotContain("    error 10");
        driver.end();
    }

    @Test
    void what_a_driver_wrote_before_it_was_killed_is_shown() {
        assertThatThrownBy(() -> start("verbose-other-protocol"))
                .hasMessageContainingAll("speaks protocol 2 instead of 1", "the last error");
    }

    /** Makes a call in a new thread. */
    private static FutureTask<Message> call(DriverProcess driver, String threadName) {
        FutureTask<Message> call = new FutureTask<>(() -> driver.call("engine", "url", "a"));
        Thread thread = new Thread(call, threadName);
        thread.setDaemon(true);
        thread.start();
        return call;
    }

    @Test
    void threads_with_the_same_name_get_different_names_in_the_driver() {
        DriverProcess driver = start("naming", PATIENT, url -> {});
        assertThatThrownBy(call(driver, "A")::get).hasRootCauseMessage("A");
        assertThatThrownBy(call(driver, "A")::get).hasRootCauseMessage("A (2)");
        driver.end();
    }

    /** Looks at the thread of its caller during a creation. */
    private static final class Looking implements Creation {
        final CompletableFuture<DriverProcess> driver = new CompletableFuture<>();
        final List<String> places = new CopyOnWriteArrayList<>();

        @Override
        public void begins(String url) {
            places.add("no caller");
        }

        @Override
        public void begins(String url, Thread caller) {
            for (int i = 0; i < 100; i++) {
                look(caller);
            }
            String first = places.get(0);
            if (first.startsWith("place")) {
                await().until(() -> !look(caller).equals(first));
            }
        }

        private String look(Thread caller) {
            RemoteThread there = driver.join().find(caller).orElseThrow();
            String place = there.waits() ? there.place() : "runs";
            places.add(place);
            return place;
        }
    }

    private static List<String> placesSeen(String mode, String caller) throws Exception {
        Looking creation = new Looking();
        DriverProcess driver = start(mode, PATIENT, creation);
        creation.driver.complete(driver);
        assertThat(call(driver, caller).get().type()).isEqualTo("result");
        driver.end();
        return creation.places;
    }

    @Test
    void thread_states_are_cached_for_a_moment() throws Exception {
        List<String> places = placesSeen("creating", "waiter");
        assertThat(places).allSatisfy(place -> assertThat(place).startsWith("place "));
        assertThat(Set.copyOf(places)).hasSizeBetween(2, 99);
    }

    @Test
    void a_thread_that_the_driver_does_not_report_counts_as_running() throws Exception {
        assertThat(placesSeen("creating", "runner")).containsOnly("runs");
    }

    @Test
    void a_creation_without_a_call_is_allowed() throws Exception {
        assertThat(placesSeen("creating-for-a-stranger", "waiter")).containsExactly("no caller");
    }

    @Test
    void a_creation_that_the_kit_cannot_order_fails() {
        DriverProcess driver = start("creating", PATIENT, url -> {
            throw new AssertionError("no turn");
        });
        assertThatThrownBy(() -> driver.call("engine", "url", "a"))
                .isInstanceOf(CallFailedException.class)
                .hasMessage("The acceptance kit could not order this creation: no turn");
        driver.end();
    }

    @Test
    void a_failed_call_throws_an_exception() throws Exception {
        DriverProcess driver = start("right");
        assertThat(driver.abilities()).containsExactly("closing");
        assertThatThrownBy(() -> driver.call("engine", "url", "a"))
                .isInstanceOf(CallFailedException.class)
                .hasMessage("no engine");
        assertThat(driver.find(Thread.currentThread()))
                .as("a thread that makes no call")
                .isEmpty();
        await().until(() -> driver.diagnostics().contains("I am the driver of mode right"));
        driver.end();
    }

    @Test
    void a_driver_that_exits_with_an_error_is_reported() {
        DriverProcess driver = start("bad-end");
        assertThatThrownBy(driver::end).hasMessageContaining("did not exit with status 0 within 5 seconds after bye");
    }

    @Test
    void a_driver_that_does_not_exit_is_reported() {
        DriverProcess driver = start("endless", QUICK_TO_END, url -> {});
        assertThatThrownBy(driver::end).hasMessageContaining("did not exit with status 0 within 1 seconds after bye");
    }

    @Test
    void messages_after_the_end_of_the_scenario_are_ignored() {
        DriverProcess driver = start("talking-at-the-end");
        assertThatCode(driver::end).doesNotThrowAnyException();
    }

    @Test
    void a_driver_with_an_unanswered_call_may_exit_with_an_error() {
        DriverProcess driver = start("busy", PATIENT, url -> {});
        FutureTask<Message> call = call(driver, "A");
        await().until(() -> driver.diagnostics().contains("thinking about it"));
        assertThat(driver.diagnostics()).contains("call without an answer: {\"type\": \"call\"");
        assertThatCode(driver::end).doesNotThrowAnyException();
        assertThat(call).isNotDone();
    }

    @Test
    void a_driver_command_that_cannot_start_is_reported() {
        assertThatThrownBy(() -> new Driver("no-such-program 'with words'", HERE).abilities())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Cannot start the driver no-such-program with words in ");
        assertThatThrownBy(() -> new Driver(" ", HERE)).hasMessage("The command of the driver is empty");
    }

    @Test
    void the_abilities_of_a_driver_are_parsed() {
        Driver driver = new Driver(quoted("right"), HERE);
        assertThat(driver.abilities()).containsExactly(Ability.CLOSING).isSameAs(driver.abilities());
        assertThatThrownBy(() -> new Driver(quoted("unknown-ability"), HERE).abilities())
                .hasMessageContaining("The driver offers flying, which is no ability; there are [eviction, closing, ");
    }

    @Test
    void a_driver_without_the_ability_to_close_is_never_asked_to_close() throws Exception {
        CacheUnderTest cache = new Driver(quoted("no-abilities"), HERE).cache(url -> {});
        cache.close();
        assertThatThrownBy(() -> cache.evict("a")).as("a call").hasMessage("no engine");
        cache.release();
    }

    private static String quoted(String mode) {
        return "\"" + String.join("\" \"", command(FakeDriver.class, mode)) + "\"";
    }

    @Test
    void json_is_read_and_written() throws Exception {
        String text = "a \"quoted\" \\ line\n\u0001";
        String written = Json.write(Map.of("text", text));
        assertThat(Json.read(written)).containsEntry("text", text);
        assertThat(Json.write(Map.of("number", 7L))).isEqualTo("{\"number\": 7}");
        assertThat(Json.read(
                        " {\"a\": [1, -2, true, false, null, {\"b\": []}], \"c\": \"\\n\\t\\r\\b\\f\\/\\u00e4\"} "))
                .containsEntry("a", List.of(1L, -2L, true, false, "", Map.of("b", List.of())))
                .containsEntry("c", "\n\t\r\b\f/\u00e4");
        assertThat(Json.read("{}")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"a\"}",
                "{\"a\": }",
                "{\"a\": 1",
                "{\"a\": tru}",
                "{\"a\": \"\\x\"}",
                "{\"a\": \"\\u12\"}",
                "{\"a\": \"b",
                "{} x",
                "{\"a\": 1 \"b\": 2}",
                "{\"a\": [1 2]}",
                "{\"a\": 1-1}"
            })
    void invalid_json_is_rejected(String text) {
        assertThatThrownBy(() -> Json.read(text))
                .isInstanceOf(Json.MalformedException.class)
                .hasMessageContaining("at character");
    }

    @Test
    void a_message_without_a_type_is_rejected() {
        assertThatThrownBy(() -> Message.read("{\"id\": 1}")).hasMessage("expected a type");
    }
}
