package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider.Configuration;
import net.javacrumbs.shedlock.provider.sql.DatabaseProduct;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** ShedLock with Spring's JdbcTemplate. */
class ShedLockTest extends OnEachDatabase {
    @BeforeEach
    void createLockTable() throws SQLException {
        Sql.execute(
                dataSource,
                "CREATE TABLE shedlock(name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP NOT NULL, "
                        + "locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL)");
    }

    /** Creates a provider like that of another process, which knows no row yet. */
    private LockProvider provider() {
        return new JdbcTemplateLockProvider(Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(dataSource))
                .withDatabaseProduct(DatabaseProduct.POSTGRES_SQL) // SQLite understands the same statements
                .build());
    }

    private static Optional<SimpleLock> lock(LockProvider provider) {
        return provider.lock(new LockConfiguration(Instant.now(), "job", Duration.ofMinutes(1), Duration.ZERO));
    }

    @Test
    void a_lock_is_acquired_once_and_released() {
        LockProvider provider = provider();
        SimpleLock lock = lock(provider).orElseThrow();
        assertThat(lock(provider)).isEmpty();
        assertThat(lock(provider())).isEmpty();
        SimpleLock extended = lock.extend(Duration.ofMinutes(2), Duration.ZERO).orElseThrow();
        extended.unlock();
        lock(provider()).orElseThrow().unlock();
    }

    @Test
    void one_of_many_threads_gets_the_lock() {
        List<Boolean> locked = Race.run(8, index -> lock(provider()).isPresent());
        assertThat(locked).containsOnlyOnce(true);
    }

    @Test
    void an_existing_row_fails_on_sqlite_unless_the_product_is_set() {
        LockProvider first = new JdbcTemplateLockProvider(new JdbcTemplate(dataSource));
        LockProvider second = new JdbcTemplateLockProvider(new JdbcTemplate(dataSource));
        lock(first).orElseThrow().unlock();
        if (isSqlite()) {
            assertThatThrownBy(() -> lock(second)).isInstanceOf(LockException.class);
        } else {
            assertThat(lock(second)).isPresent();
        }
    }

    @Test
    void a_lock_inside_a_transaction_fails_at_once_on_sqlite() throws SQLException {
        JdbcTemplate template = new JdbcTemplate(dataSource);
        LockProvider provider = provider();
        new TransactionTemplate(new DataSourceTransactionManager(dataSource)).executeWithoutResult(status -> {
            template.update(insertion("a"));
            if (isSqlite()) {
                SelfWait.assertRejected(engine, () -> lock(provider));
            } else {
                assertThat(lock(provider)).isPresent();
            }
        });
        assertThat(names()).containsExactly("a");
    }

    @Test
    void using_the_database_time_is_unsupported_on_sqlite() {
        LockProvider provider = new JdbcTemplateLockProvider(Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(dataSource))
                .usingDbTime()
                .build());
        if (isSqlite()) {
            assertThatThrownBy(() -> lock(provider)).isInstanceOf(UnsupportedOperationException.class);
        } else {
            assertThat(lock(provider)).isPresent();
        }
    }
}
