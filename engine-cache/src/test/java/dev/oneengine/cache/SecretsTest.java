package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

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

    @ParameterizedTest
    @CsvSource({"password, true", "sslPassword, true", "PGPASSWORD, true", "pwd, true", "client_secret, true"})
    @CsvSource({"textkey, true", "scram_server_key, true", "access_key, true", "sslkey, false", "keepalives, false"})
    @CsvSource({"key, true", "hexkey, true", "authToken, true", "pw, true", "user, false", "foreign_keys, false"})
    void knows_what_is_secret_by_its_name(String parameter, boolean secret) {
        assertThat(Secrets.isSecret(parameter)).isEqualTo(secret);
    }
}
