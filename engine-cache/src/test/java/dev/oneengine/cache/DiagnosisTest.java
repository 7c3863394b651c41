package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.SQLExceptionOverride.Override;
import dev.oneengine.cache.DatabaseUrl.Access;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sqlite.JDBC;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class DiagnosisTest {
    @Test
    void sqlite_is_known_by_its_result_code() {
        assertThat(Diagnosis.of(new SQLiteException("locked", SQLiteErrorCode.SQLITE_BUSY_RECOVERY)))
                .isEqualTo("another process holds a lock on it; end that, or allow a longer busyTimeout (locked)");
        assertThat(Diagnosis.of(new SQLiteException("odd", SQLiteErrorCode.SQLITE_MISUSE)))
                .isEqualTo("odd");
    }

    @Test
    void postgresql_is_known_by_the_class_of_its_state() {
        assertThat(Diagnosis.of(new SQLException("too many clients", "53300")))
                .startsWith("the server has no room for another connection")
                .endsWith("(too many clients)");
        assertThat(Diagnosis.of(new SQLException("odd", "XX000"))).isEqualTo("odd");
        assertThat(Diagnosis.of(new SQLException("odd", "5"))).isEqualTo("odd");
    }

    @Test
    void anything_else_speaks_for_itself() {
        assertThat(Diagnosis.of(new SQLException("odd"))).isEqualTo("odd");
        assertThat(Diagnosis.of(new IllegalStateException("odd"))).isEqualTo("odd");
        assertThat(Diagnosis.of(new IllegalStateException())).isEqualTo("java.lang.IllegalStateException");
    }

    private static BrokenPostgresConnection onOpenEngine() {
        return new BrokenPostgresConnection(DatabaseUrl.parse("postgresql://h/db"), () -> false);
    }

    @Test
    void an_unsupported_feature_of_postgresql_breaks_no_connection_by_itself() {
        BrokenPostgresConnection broken = onOpenEngine();
        SQLException unsupported = new SQLFeatureNotSupportedException("no clobs", "0A000");
        assertThat(broken.adjudicate(unsupported)).isEqualTo(Override.DO_NOT_EVICT);
        unsupported.setNextException(new SQLException("no table", "42P01"));
        assertThat(broken.adjudicate(unsupported)).isEqualTo(Override.DO_NOT_EVICT);
        for (String lost : List.of("08006", "57P01")) {
            SQLException both = new SQLException("no clobs", "0A000");
            both.setNextException(new SQLException("odd"));
            both.setNextException(new SQLException("gone", lost));
            assertThat(broken.adjudicate(both)).isEqualTo(Override.CONTINUE_EVICT);
        }
        for (String other : List.of("08006", "57P01", "42P01")) {
            assertThat(broken.adjudicate(new SQLException("other", other))).isEqualTo(Override.CONTINUE_EVICT);
        }
    }

    @Test
    @Timeout(10)
    void a_chain_of_failures_may_lead_back_to_itself() {
        SQLException first = new SQLException("no clobs", "0A000");
        SQLException next = new SQLException("odd") {
            private static final long serialVersionUID = 1L;

            @java.lang.Override
            public SQLException getNextException() {
                return this;
            }
        };
        first.setNextException(next);
        assertThat(onOpenEngine().adjudicate(first)).isEqualTo(Override.DO_NOT_EVICT);
    }

    @Test
    void a_missing_driver_is_named() {
        assertThatThrownBy(() -> DriverSource.load("no.such.Driver"))
                .hasMessageContainingAll("no.such.Driver is missing", "org.postgresql:postgresql");
        assertThatThrownBy(() -> new DriverSource(new JDBC()::connect, "jdbc:other:", new Properties()).getConnection())
                .hasMessage("The driver does not take jdbc:other:");
    }

    @Test
    void the_way_to_a_database_shows_no_password() {
        assertThat(new Access("jdbc:x", "joe", "hunter2")).hasToString("***");
    }
}
