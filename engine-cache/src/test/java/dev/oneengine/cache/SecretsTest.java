package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {
    @ParameterizedTest
    @CsvSource({
        "postgresql://joe:x@host/db,        postgresql:...",
        "POSTGRESQL://joe:x@host/db,        POSTGRESQL:...",
        "postgresql+psycopg2://joe:x@h/db,  postgresql+psycopg2:...",
        "postgresql:joe:x@host/db,          postgresql:...",
        "jdbc:postgresql://joe:x@host/db,   jdbc:postgresql:...",
        "jdbc:h2:mem:x;PASSWORD=x,          jdbc:h2:...",
        "sqlite:app.db,                     sqlite:...",
        "mysql://joe:x@host/db,             mysql:...",
        "jdbc:,                             jdbc:...",
        "jdbc:x,                            jdbc:...",
        "joe:x@h/db,                        ...",
        "app.db,                            ...",
        ":memory:,                          ...",
        "postgresql%3A%2F%2Fjoe%3Ax%40h,    ...",
        "'',                                ..."
    })
    void of_a_url_that_cannot_be_read_only_the_scheme_is_shown(String url, String shown) {
        assertThat(Secrets.scheme(url)).isEqualTo(shown);
    }

    @Test
    void what_a_driver_says_is_masked_where_it_quotes_a_secret() {
        List<String> secrets = Secrets.of("jdbc:x://h:1/db:user=joe;password=hunter2;token=abc");
        assertThat(secrets).containsExactly("jdbc:x://h:1/db:user=joe;password=hunter2;token=abc", "hunter2", "abc");
        assertThat(Secrets.mask("no hunter2 in abc", secrets)).isEqualTo("no *** in abc");

        Exception inner = new IllegalStateException("inner hunter2");
        Exception outer = new IllegalArgumentException("outer", inner);
        outer.addSuppressed(new IllegalStateException("beside hunter2"));
        assertThat(Secrets.mask(outer, secrets))
                .isExactlyInstanceOf(EngineException.class)
                .hasNoCause()
                .hasMessage(
                        "java.lang.IllegalArgumentException: outer, beside java.lang.IllegalStateException: beside ***, "
                                + "caused by java.lang.IllegalStateException: inner ***");
        assertThat(Secrets.mask(outer, secrets).getStackTrace()).isEqualTo(outer.getStackTrace());
    }

    @Test
    void a_failure_that_quotes_no_secret_stays_itself() {
        Exception ring = new IllegalStateException("one");
        Exception other = new IllegalStateException("two", ring);
        ring.initCause(other);
        assertThat(Secrets.mask(ring, List.of("hunter2"))).isSameAs(ring);
    }

    @ParameterizedTest
    @CsvSource({"password, true", "sslPassword, true", "PGPASSWORD, true", "pwd, true", "client_secret, true"})
    @CsvSource({
        "client_credential, true",
        "textkey, true",
        "scram_server_key, true",
        "access_key, true",
        "sslkey, false",
        "keepalives, false"
    })
    @CsvSource({"key, true", "hexkey, true", "authToken, true", "pw, true", "user, false", "foreign_keys, false"})
    void knows_what_is_secret_by_its_name(String parameter, boolean secret) {
        assertThat(Secrets.isSecret(parameter)).isEqualTo(secret);
    }
}
