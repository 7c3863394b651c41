package dev.oneengine.cache.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentEncodingTest {
    @ParameterizedTest
    @CsvSource({"a b, a%20b", "ä, %C3%A4", "a/b-c.d_e~f, a/b-c.d_e~f", "50%, 50%25", "a+b, a%2Bb", "'', ''"})
    void text_is_encoded_and_decoded(String plain, String encoded) throws UrlSyntaxException {
        assertThat(PercentEncoding.encode(plain)).isEqualTo(encoded);
        assertThat(PercentEncoding.decode(encoded)).isEqualTo(plain);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%1", "a%zzb", "%4", "%-1", "%ff", "%c3"})
    void text_that_is_not_percent_encoded_utf8_is_rejected(String text) {
        assertThatThrownBy(() -> PercentEncoding.decode(text))
                .isInstanceOf(UrlSyntaxException.class)
                .hasMessage("it is not percent-encoded UTF-8; write a percent sign as %25");
    }

    @ParameterizedTest
    @CsvSource({"a%3Ab%zz, a:b%zz", "a%00b, a\0b", "%2f%, /%", "%24%5C, $\\", "a+b, a+b"})
    void lenient_decoding_keeps_invalid_parts(String text, String decoded) {
        assertThat(PercentEncoding.decodeLeniently(text)).isEqualTo(decoded);
    }

    @Property
    boolean decoding_reverses_encoding(@ForAll String text) throws UrlSyntaxException {
        Assume.that(text.indexOf(0) < 0);
        return PercentEncoding.decode(PercentEncoding.encode(text)).equals(text);
    }
}
