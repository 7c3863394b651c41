package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentTest {
    @ParameterizedTest
    @CsvSource({"a b, a%20b", "ä, %C3%A4", "a/b-c.d_e~f, a/b-c.d_e~f", "50%, 50%25", "a+b, a%2Bb", "'', ''"})
    void encodes_and_decodes(String plain, String encoded) {
        assertThat(Percent.encode(plain)).isEqualTo(encoded);
        assertThat(Percent.decode(encoded)).isEqualTo(plain);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%1", "a%zzb", "%4", "%-1", "%ff", "%c3"})
    void refuses_what_is_not_percent_encoded_utf8(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Percent.decode(text));
        assertThat(Percent.decodeLeniently(text)).isEqualTo(text);
    }

    @Property
    boolean decoding_undoes_encoding(@ForAll String text) {
        return Percent.decode(Percent.encode(text)).equals(text);
    }
}
