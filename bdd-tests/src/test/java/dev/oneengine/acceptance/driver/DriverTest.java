package dev.oneengine.acceptance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.acceptance.Ability;
import dev.oneengine.acceptance.driver.DriverProcess.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver that breaks the protocol fails its scenario with a message that says how, and shows its standard error. */
@Timeout(60)
class DriverTest {
    private static final Path HERE = Path.of("");

    /** Starting a JVM takes a while; being silent takes no longer. */
    private static final Limits LIMITS =
            new Limits(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(5));

    private static List<String> command(String mode) {
        return List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                Path.of(FakeDriver.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .getPath())
                        .toString(),
                FakeDriver.class.getName(),
                mode);
    }

    private static DriverProcess start(String mode) {
        return DriverProcess.start(command(mode), HERE, LIMITS, url -> {});
    }

    @ParameterizedTest
    @CsvSource({
        "silent, did not send hello within 5 seconds",
        "other-protocol, speaks protocol 2 instead of 1",
        "dead, exited with status 3 before the end of the scenario"
    })
    void a_driver_that_does_not_start_right(String mode, String message) {
        assertThatThrownBy(() -> start(mode))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(message, "FakeDriver " + mode, "I am the driver of mode " + mode);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "garbage|wrote a line that is no message, expected '{' at character 1: Traceback",
                "wrong-answer|answered a call that nobody waits for",
                "unknown-type|sent a message of unknown type",
                "hanging|did not send an answer to {\"type\": \"call\"",
                "dying|exited with status 3 before the end of the scenario"
            })
    void a_driver_that_does_not_answer_right(String mode, String message) {
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
    void a_failure_of_a_call_is_an_exception() throws Exception {
        DriverProcess driver = start("right");
        assertThat(driver.abilities()).containsExactly("closing");
        assertThatThrownBy(() -> driver.call("engine", "url", "a"))
                .isInstanceOf(CallFailedException.class)
                .hasMessage("no engine");
        assertThat(driver.find(Thread.currentThread()))
                .as("a thread without a call")
                .isEmpty();
        assertThat(driver.diagnostics()).contains("I am the driver of mode right");
        driver.end();
    }

    @Test
    void a_driver_must_end_well() {
        DriverProcess driver = start("bad-end");
        assertThatThrownBy(driver::end).hasMessageContaining("did not exit with status 0 within 5 seconds after bye");
    }

    @Test
    void a_program_that_does_not_exist() {
        assertThatThrownBy(() -> new Driver("no-such-program 'with words'", HERE).abilities())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Cannot start the driver no-such-program with words in ");
        assertThatThrownBy(() -> new Driver(" ", HERE)).hasMessage("The command of the driver is empty");
    }

    @Test
    void abilities_are_tags() {
        assertThat(new Driver(quoted("right"), HERE).abilities()).containsExactly(Ability.CLOSING);
        assertThatThrownBy(() -> new Driver(quoted("unknown-ability"), HERE).abilities())
                .hasMessageContaining("The driver offers flying, which is no ability");
    }

    private static String quoted(String mode) {
        return "\"" + String.join("\" \"", command(mode)) + "\"";
    }

    @Test
    void json_is_read_and_written() throws Exception {
        String text = "a \"quoted\" \\ line\n\u0001";
        String written = Json.write(Map.of("text", text));
        assertThat(Json.read(written)).containsEntry("text", text);
        assertThat(Json.write(Map.of("number", 7L))).isEqualTo("{\"number\": 7}");
        assertThat(Json.read(" {\"a\": [1, -2, true, false, null, {\"b\": []}], \"c\": \"\\t\\r\\b\\f\\/\\u00e4\"} "))
                .containsEntry("a", List.of(1L, -2L, true, false, "", Map.of("b", List.of())))
                .containsEntry("c", "\t\r\b\f/\u00e4");
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
                "{\"a\": tru}",
                "{\"a\": \"\\x\"}",
                "{\"a\": \"\\u12\"}",
                "{\"a\": \"b",
                "{} x",
                "{\"a\": 1 \"b\": 2}",
                "{\"a\": [1 2]}",
                "{\"a\": 1-1}"
            })
    void what_is_no_json_is_an_error(String text) {
        assertThatThrownBy(() -> Json.read(text))
                .isInstanceOf(Json.MalformedException.class)
                .hasMessageContaining("at character");
    }

    @Test
    void a_message_needs_a_type() {
        assertThatThrownBy(() -> Message.read("{\"id\": 1}")).hasMessage("expected a type");
    }
}
