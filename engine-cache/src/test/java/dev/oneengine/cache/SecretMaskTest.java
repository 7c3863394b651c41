package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.url.UrlSecrets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecretMaskTest {
    @Test
    void a_secret_in_a_driver_message_is_masked() {
        List<String> secrets = UrlSecrets.of("jdbc:x://h:1/db:user=joe;password=hunter2;token=abc");
        assertThat(secrets).containsExactly("jdbc:x://h:1/db:user=joe;password=hunter2;token=abc", "hunter2", "abc");
        assertThat(SecretMask.mask("no hunter2 in abc", secrets)).isEqualTo("no *** in abc");
        assertThat(SecretMask.mask("abcd", List.of("abcd"))).isEqualTo("***");

        Exception inner = new IllegalStateException("inner hunter2");
        Exception outer = new IllegalArgumentException("outer", inner);
        outer.addSuppressed(new IllegalStateException("beside hunter2"));
        assertThat(SecretMask.mask(outer, secrets))
                .isExactlyInstanceOf(EngineException.class)
                .hasNoCause()
                .hasMessage(
                        "java.lang.IllegalArgumentException: outer, beside java.lang.IllegalStateException: beside ***, "
                                + "caused by java.lang.IllegalStateException: inner ***");
        assertThat(SecretMask.mask(outer, secrets).getStackTrace()).isEqualTo(outer.getStackTrace());
    }

    @Test
    void a_failure_without_secrets_stays_unchanged() {
        Exception ring = new IllegalStateException("one");
        Exception other = new IllegalStateException("two", ring);
        ring.initCause(other);
        assertThat(SecretMask.mask(ring, List.of("hunter2"))).isSameAs(ring);
    }
}
