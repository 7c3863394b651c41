package dev.oneengine.cache.url;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SqliteUrlParserTest {
    @Test
    void the_slash_before_a_windows_drive_is_removed() {
        assertThat(SqliteUrlParser.withoutSlashBeforeDrive("/C:/data/a.db", '\\'))
                .isEqualTo("C:/data/a.db");
        assertThat(SqliteUrlParser.withoutSlashBeforeDrive("/data/C:/a.db", '\\'))
                .isEqualTo("/data/C:/a.db");
        assertThat(SqliteUrlParser.withoutSlashBeforeDrive("/C:/data/a.db", '/'))
                .isEqualTo("/C:/data/a.db");
    }
}
