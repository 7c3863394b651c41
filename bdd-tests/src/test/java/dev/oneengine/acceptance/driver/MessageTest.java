package dev.oneengine.acceptance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageTest {
    @Test
    void a_missing_field_or_one_of_another_type_is_read_as_empty() throws Exception {
        Message message = Message.read("{\"type\": \"a\", \"n\": 7, \"l\": [\"x\"], \"m\": {\"k\": \"v\"}}");
        assertThat(message.number("n")).isEqualTo(7);
        assertThat(message.number("l")).isEqualTo(-1);
        assertThat(message.texts("l")).isEqualTo(List.of("x"));
        assertThat(message.texts("n")).isEmpty();
        assertThat(message.map("m")).isEqualTo(Map.of("k", "v"));
        assertThat(message.map("n")).isEmpty();
    }

    @Test
    void a_message_that_is_nested_too_deeply_is_malformed() throws Exception {
        assertThat(nested(100).fields()).containsKey("x");
        assertThatThrownBy(() -> nested(100_000))
                .isInstanceOf(Json.MalformedException.class)
                .hasMessageStartingWith("expected fewer nested values");
    }

    private static Message nested(int depth) throws Json.MalformedException {
        return Message.read("{\"type\": \"a\", \"x\": " + "[".repeat(depth) + "]".repeat(depth) + "}");
    }
}
