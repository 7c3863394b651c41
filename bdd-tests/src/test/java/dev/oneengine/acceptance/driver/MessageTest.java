package dev.oneengine.acceptance.driver;

import static org.assertj.core.api.Assertions.assertThat;

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
}
