package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.SQLExceptionOverride.Override;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sqlite.JDBC;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class FailureAdviceTest {
    @Test
    void failures_of_sqlite_are_classified_by_result_code() {
        assertThat(FailureAdvice.of(new SQLiteException("locked", SQLiteErrorCode.SQLITE_BUSY_RECOVERY)))
                .isEqualTo("another process holds a lock on it; end that process, or raise the busyTimeout (locked)");
        assertThat(FailureAdvice.of(new SQLiteException(
                        "[SQLITE_READONLY_DIRECTORY] log", SQLiteErrorCode.SQLITE_READONLY_DIRECTORY)))
                .startsWith("its directory is read-only")
                .endsWith("?immutable=1 ([SQLITE_READONLY_DIRECTORY] log)");
        assertThat(FailureAdvice.of(new SQLiteException("odd", SQLiteErrorCode.SQLITE_MISUSE)))
                .isEqualTo("odd");
    }

    @Test
    void failures_of_postgresql_are_classified_by_the_class_of_the_sql_state() {
        assertThat(FailureAdvice.of(new SQLException("too many clients", "53300")))
                .startsWith("the server accepts no more connections")
                .endsWith("(too many clients)");
        assertThat(FailureAdvice.of(new SQLException("odd", "XX000"))).isEqualTo("odd");
        assertThat(FailureAdvice.of(new SQLException("odd", "5"))).isEqualTo("odd");
        assertThat(FailureAdvice.of(new SQLException("joe", "28"))).startsWith("the server rejects this user");
    }

    /** HikariCP's own exception hides the driver's. */
    @Test
    void the_advice_for_a_pool_that_cannot_start_is_the_cause_from_the_driver() {
        SQLException reason = new SQLException("too many clients", "53300");
        assertThat(FailureAdvice.of(new PoolInitializationException(reason)))
                .startsWith("the server accepts no more connections")
                .endsWith("(too many clients)");
    }

    @Test
    void the_advice_for_any_other_failure_is_its_own_message() {
        assertThat(FailureAdvice.of(new SQLException("odd"))).isEqualTo("odd");
        assertThat(FailureAdvice.of(new IllegalStateException("odd"))).isEqualTo("odd");
        assertThat(FailureAdvice.of(new IllegalStateException())).isEqualTo("java.lang.IllegalStateException");
    }

    private static PostgresEvictionRule onOpenEngine() {
        return new PostgresEvictionRule(DatabaseUrl.parse("postgresql://h/db"), () -> false);
    }

    @Test
    void an_unsupported_feature_of_postgresql_does_not_evict_the_connection() {
        PostgresEvictionRule broken = onOpenEngine();
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
    void a_cyclic_chain_of_exceptions_is_supported() {
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
        assertThatThrownBy(() -> DriverLoader.load("no.such.Driver"))
                .hasMessageContainingAll("no.such.Driver is missing", "org.postgresql:postgresql");
        assertThatThrownBy(() -> new DriverDataSource(new JDBC()::connect, "jdbc:other:", new Properties(), null)
                        .getConnection())
                .hasMessage("The driver does not support jdbc:other:");
    }
}
