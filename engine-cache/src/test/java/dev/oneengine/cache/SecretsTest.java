package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://joe:hunter2@host/db",
                "JDBC:POSTGRESQL://joe:hunter2@host/db",
                "jdbc:postgresql://joe:hunter2@:5432/db",
                "postgresql:joe:hunter2@host",
                "mysql://joe:hunter2@host/db",
                "postgresql://joe:p@ss/hunter2@host/db",
                "postgresql://joe:p?hunter2@host/db",
                "postgresql://jo/e:hunter2@host/db",
                "postgresql://joe:hunter2",
                "postgresql://joe:hunter2/db",
                "postgresql://joe:12hunter2/db?a=b",
                "jdbc:postgresql://host/db?user=joe&password=hunter2",
                "jdbc:postgresql://host/db?PASSWORD=a&hunter2&x=y",
                "jdbc:postgresql://host/db?sslpassword=hunter2&x=y",
                "jdbc:postgresql://host/db?%70assword=hunter2",
                "jdbc:sqlserver://host;user=joe;password=hunter2;encrypt=true",
                "jdbc:sqlite:file:a?key=hunter2",
                "jdbc:sqlite:file:a?textkey=hunter2",
                "postgresql://joe@tenant:hunter2@h:x/db",
                "postgresql://joe@tenant:hunter2/db",
                "postgresql://joe:1234hunter2567/db",
                "jdbc:postgresql://joe/hunter2@h/db",
                "jdbc:postgresql://joe?hunter2@h/db",
                "host=h user=joe password=hunter2",
                "joe:hunter2@h/db",
                "jdbc:sqlserver://h;password={hun;hunter2=2}",
                "jdbc:postgresql://h/db?password=x&=hunter2",
                "jdbc:postgresql://h/db?a=b&scram_client_key=hunter2",
                "postgresql://joe:hun\nter2hunter2@host/db"
            })
    void a_password_is_masked_however_wrong_the_url_is(String url) {
        assertThat(Secrets.printable(url)).contains(Secrets.MASK).doesNotContain("hunter2", "ter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlite::memory:",
                "jdbc:sqlite:/data/a@b.db",
                "sqlite:///data/app.db",
                "jdbc:postgresql://host:5432/db?user=joe",
                "jdbc:postgresql://one:5432,two:5433/db",
                "jdbc:postgresql://[::1]:5432/db",
                "jdbc:postgresql://[::1]/db",
                "jdbc:postgresql://host:/db"
            })
    void what_is_not_secret_is_shown(String url) {
        assertThat(Secrets.printable(url)).isEqualTo(url);
    }

    @Test
    void a_number_that_is_too_long_for_a_port_is_masked() {
        assertThat(Secrets.printable("postgresql://joe:123456/db")).isEqualTo("postgresql://joe:***");
    }

    @ParameterizedTest
    @CsvSource({"password, true", "sslPassword, true", "PGPASSWORD, true", "pwd, true", "client_secret, true"})
    @CsvSource({"textkey, true", "scram_server_key, true", "access_key, true", "sslkey, false", "keepalives, false"})
    @CsvSource({"key, true", "hexkey, true", "authToken, true", "sslkey, false", "user, false", "foreign_keys, false"})
    void knows_what_is_secret_by_its_name(String parameter, boolean secret) {
        assertThat(Secrets.isSecret(parameter)).isEqualTo(secret);
    }

    @Test
    void control_characters_cannot_forge_log_lines() {
        assertThat(Secrets.printable("jdbc:sqlite:a\r\nb\u0000")).isEqualTo("jdbc:sqlite:a\\u000d\\u000ab\\u0000");
    }

    @Test
    void a_long_url_is_cut_after_it_is_masked() {
        String shown = Secrets.printable("postgresql://joe:" + "hunter2".repeat(1000) + "@host/" + "x".repeat(1000));
        assertThat(shown)
                .hasSizeLessThan(210)
                .startsWith("postgresql://joe:***@host/xxx")
                .endsWith("x...");
    }
}
