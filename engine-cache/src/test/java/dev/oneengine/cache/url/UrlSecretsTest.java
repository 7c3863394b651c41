package dev.oneengine.cache.url;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlSecretsTest {
    @Test
    void a_parsed_url_shows_no_password() throws UrlSyntaxException {
        assertThat(UrlParser.parse("postgresql://joe:hunter2@localhost/app").toString())
                .contains("joe", "***")
                .doesNotContain("hunter2");
        assertThat(new ParsedUrl.Access("jdbc:x", new TreeMap<>(), "hunter2")).hasToString("***");
    }

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
    void only_the_scheme_of_an_invalid_url_is_shown(String url, String shown) {
        assertThat(UrlSecrets.scheme(url)).isEqualTo(shown);
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
    void a_parameter_name_decides_whether_its_value_is_secret(String parameter, boolean secret) {
        assertThat(UrlSecrets.isSecret(parameter)).isEqualTo(secret);
    }
}
