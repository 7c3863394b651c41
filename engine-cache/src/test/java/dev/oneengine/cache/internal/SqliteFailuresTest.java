package dev.oneengine.cache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class SqliteFailuresTest {
    @Test
    void extended_result_codes_are_reduced_to_the_primary_code() {
        assertThat(SqliteFailures.code(new SQLiteException("", SQLiteErrorCode.SQLITE_BUSY_SNAPSHOT)))
                .isEqualTo(SqliteFailures.BUSY)
                .isEqualTo(SQLiteErrorCode.SQLITE_BUSY.code);
        assertThat(SqliteFailures.LOCKED).isEqualTo(SQLiteErrorCode.SQLITE_LOCKED.code);
        assertThat(SqliteFailures.READ_ONLY).isEqualTo(SQLiteErrorCode.SQLITE_READONLY.code);
    }

    @Test
    void failures_of_other_sources_have_no_code() {
        assertThat(SqliteFailures.code(new SQLException("", "", 5))).isEqualTo(-1);
        assertThat(SqliteFailures.code(new IllegalStateException())).isEqualTo(-1);
        assertThat(SqliteFailures.code(null)).isEqualTo(-1);
    }
}
