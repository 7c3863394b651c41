package dev.oneengine.cache.url;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SqliteUrlParserTest {
    @Test
    void a_drive_of_windows_follows_a_slash() {
        assertThat(SqliteUrlParser.withoutSlashBeforeDrive("/C:/data/a.db", '\\'))
                .isEqualTo("C:/data/a.db");
        assertThat(SqliteUrlParser.withoutSlashBeforeDrive("/data/C:/a.db", '\\'))
                .isEqualTo("/data/C:/a.db");
        assertThat(SqliteUrlParser.withoutSlashBeforeDrive("/C:/data/a.db", '/'))
                .isEqualTo("/C:/data/a.db");
    }
}
