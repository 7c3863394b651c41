package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.SimpleJdbcInsert;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jdbc.support.SQLErrorCodeSQLExceptionTranslator;
import org.springframework.jdbc.support.SQLErrorCodes;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's transactions and JdbcTemplate. */
class SpringTest extends OnEachDatabase {
    private PlatformTransactionManager manager;
    private JdbcTemplate template;
    private TransactionTemplate required;
    private TransactionTemplate requiresNew;
    private TransactionTemplate nested;
    private TransactionTemplate readOnly;

    @BeforeEach
    void createTemplates() {
        manager = new JdbcTransactionManager(dataSource);
        template = new JdbcTemplate(dataSource);
        required = new TransactionTemplate(manager);
        requiresNew = transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        nested = transaction(TransactionDefinition.PROPAGATION_NESTED);
        readOnly = new TransactionTemplate(manager);
        readOnly.setReadOnly(true);
    }

    private TransactionTemplate transaction(int propagation) {
        TransactionTemplate transaction = new TransactionTemplate(manager);
        transaction.setPropagationBehavior(propagation);
        return transaction;
    }

    private void insert(String name) {
        template.update("INSERT INTO item(name) VALUES (?)", name);
    }

    private int count() {
        return template.queryForObject("SELECT count(*) FROM item", Integer.class);
    }

    @Test
    void a_transaction_commits_or_rolls_back() throws SQLException {
        required.executeWithoutResult(status -> insert("a"));
        assertThatThrownBy(() -> required.executeWithoutResult(status -> {
                    insert("b");
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        required.executeWithoutResult(status -> {
            insert("c");
            status.setRollbackOnly();
        });
        assertThat(names()).containsExactly("a");
    }

    @Test
    void a_swallowed_failure_rolls_the_joined_transaction_back() throws SQLException {
        assertThatThrownBy(() -> required.executeWithoutResult(outer -> {
                    insert("a");
                    assertThatThrownBy(() -> required.executeWithoutResult(inner -> {
                                throw new IllegalStateException();
                            }))
                            .isInstanceOf(IllegalStateException.class);
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(names()).isEmpty();
    }

    @Test
    void a_read_only_transaction_cannot_write() throws SQLException {
        assertThatThrownBy(() -> readOnly.executeWithoutResult(status -> insert("a")))
                .isInstanceOf(DataAccessException.class);
        insert("b");
        assertThat(names()).containsExactly("b");
    }

    @Test
    void read_only_transactions_run_concurrently() {
        CyclicBarrier bothHaveRead = new CyclicBarrier(2);
        List<Integer> counts = Race.run(
                2,
                index -> readOnly.execute(status -> {
                    int count = count();
                    await(bothHaveRead);
                    return count;
                }));
        assertThat(counts).containsExactly(0, 0);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_read_only_transaction_runs_beside_a_writer_except_in_memory() throws SQLException {
        TransactionTemplate independent = transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        independent.setReadOnly(true);
        required.executeWithoutResult(status -> {
            insert("a");
            if (database == Database.MEMORY) {
                SelfWait.assertRejected(engine, () -> independent.executeWithoutResult(inner -> count()));
            } else {
                assertThat(independent.<Integer>execute(inner -> count())).isZero();
            }
        });
        assertThat(names()).containsExactly("a");
    }

    @Test
    void a_transaction_that_is_not_read_only_counts_as_a_writer_on_sqlite() {
        required.executeWithoutResult(status -> {
            insert("a");
            if (isSqlite()) {
                SelfWait.assertRejected(engine, () -> requiresNew.executeWithoutResult(inner -> count()));
            } else {
                assertThat(requiresNew.<Integer>execute(inner -> count())).isZero();
            }
        });
    }

    @Test
    void a_nested_transaction_is_a_savepoint() throws SQLException {
        required.executeWithoutResult(status -> {
            insert("a");
            nested.executeWithoutResult(first -> insert("b"));
            assertThatThrownBy(() -> nested.executeWithoutResult(second -> {
                        insert("c");
                        nested.executeWithoutResult(third -> insert("d"));
                        throw new IllegalStateException();
                    }))
                    .isInstanceOf(IllegalStateException.class);
        });
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void requires_new_fails_at_once_on_sqlite() throws SQLException {
        required.executeWithoutResult(status -> {
            insert("a");
            if (isSqlite()) {
                SelfWait.assertRejected(engine, () -> requiresNew.executeWithoutResult(inner -> insert("b")));
            } else {
                requiresNew.executeWithoutResult(inner -> insert("b"));
                status.setRollbackOnly();
            }
        });
        assertThat(names()).containsExactly(isSqlite() ? "a" : "b");
    }

    @Test
    void requires_new_works_before_the_first_statement() throws SQLException {
        required.executeWithoutResult(status -> {
            requiresNew.executeWithoutResult(inner -> insert("a"));
            insert("b");
        });
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void requires_new_may_write_inside_a_read_only_transaction_except_in_memory() throws SQLException {
        readOnly.executeWithoutResult(status -> {
            assertThat(count()).isZero();
            if (database == Database.MEMORY) {
                SelfWait.assertRejected(engine, () -> requiresNew.executeWithoutResult(inner -> insert("a")));
            } else {
                requiresNew.executeWithoutResult(inner -> insert("a"));
            }
        });
        assertThat(names()).hasSize(database == Database.MEMORY ? 0 : 1);
    }

    @Test
    void propagation_not_supported_fails_at_once_on_sqlite() {
        TransactionTemplate without = transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        required.executeWithoutResult(status -> {
            insert("a");
            if (isSqlite()) {
                SelfWait.assertRejected(engine, () -> without.executeWithoutResult(inner -> insert("b")));
            } else {
                without.executeWithoutResult(inner -> insert("b"));
            }
        });
        assertThat(count()).isEqualTo(isSqlite() ? 1 : 2);
    }

    @Test
    void work_after_commit_runs_in_requires_new() throws SQLException {
        required.executeWithoutResult(status -> {
            insert("a");
            afterCommit(() -> requiresNew.executeWithoutResult(inner -> insert("b")));
        });
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void reading_after_commit_sees_the_commit() {
        AtomicInteger seen = new AtomicInteger();
        required.executeWithoutResult(status -> {
            insert("a");
            afterCommit(() -> seen.set(count()));
        });
        assertThat(seen).hasValue(1);
        insert("b");
    }

    @Test
    void a_failure_after_the_commit_does_not_revert_the_commit() throws SQLException {
        assertThatThrownBy(() -> required.executeWithoutResult(status -> {
                    insert("a");
                    afterCommit(() -> {
                        throw new IllegalStateException("too late");
                    });
                }))
                .hasMessage("too late");
        insert("b");
        assertThat(names()).containsExactly("a", "b");
    }

    private static void afterCommit(Runnable work) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                work.run();
            }
        });
    }

    @Test
    void a_timeout_rolls_the_transaction_back() throws SQLException {
        TransactionTemplate limited = new TransactionTemplate(manager);
        limited.setTimeout(1);
        assertThatThrownBy(() -> limited.executeWithoutResult(status -> {
                    for (int i = 0; ; i++) {
                        insert("row " + i);
                    }
                }))
                .isInstanceOfAny(TransactionTimedOutException.class, QueryTimeoutException.class);
        insert("a");
        assertThat(names()).containsExactly("a");
    }

    @Test
    void the_isolation_applies_only_to_its_transaction() throws SQLException {
        int before = isolation();
        int[] levels = {
            TransactionDefinition.ISOLATION_READ_COMMITTED,
            TransactionDefinition.ISOLATION_REPEATABLE_READ,
            TransactionDefinition.ISOLATION_SERIALIZABLE
        };
        for (int level : levels) {
            TransactionTemplate isolated = new TransactionTemplate(manager);
            isolated.setIsolationLevel(level);
            isolated.executeWithoutResult(status -> {
                assertThat(isolation()).isEqualTo(level);
                insert("level " + level);
            });
            assertThat(isolation()).isEqualTo(before);
        }
        assertThat(names()).hasSize(3);
    }

    private int isolation() {
        return template.execute(Connection::getTransactionIsolation);
    }

    @Test
    void generated_keys_are_returned() {
        GeneratedKeyHolder holder = new GeneratedKeyHolder();
        template.update(connection -> connection.prepareStatement(insertion("a"), new String[] {"id"}), holder);
        assertThat(holder.getKey().longValue()).isEqualTo(1);
        Number key = new SimpleJdbcInsert(dataSource)
                .withTableName("item")
                .usingGeneratedKeyColumns("id")
                .executeAndReturnKey(Map.of("name", "b"));
        assertThat(key.longValue()).isEqualTo(2);
    }

    @Test
    void batches_are_part_of_the_transaction() throws SQLException {
        List<Object[]> rows = List.of(new Object[] {"a"}, new Object[] {"b"});
        required.executeWithoutResult(status -> {
            int[] counts = template.batchUpdate("INSERT INTO item(name) VALUES (?)", rows);
            assertThat(counts).containsExactly(1, 1);
        });
        assertThatThrownBy(() -> required.executeWithoutResult(status -> template.batchUpdate(
                        "INSERT INTO item(name) VALUES (?)", Arrays.asList(rows.get(0), rows.get(0)))))
                .isInstanceOf(DataAccessException.class);
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void a_stream_is_read_while_the_transaction_writes() throws SQLException {
        insert("a");
        insert("b");
        required.executeWithoutResult(status -> {
            try (Stream<String> names =
                    template.queryForStream("SELECT name FROM item ORDER BY name", (row, number) -> row.getString(1))) {
                names.limit(2).forEach(name -> insert("copy of " + name));
            }
        });
        assertThat(names()).containsExactly("a", "b", "copy of a", "copy of b");
    }

    @Test
    void a_duplicate_key_is_translated_only_on_postgresql() {
        insert("a");
        assertThatThrownBy(() -> insert("a"))
                .isInstanceOf(isSqlite() ? UncategorizedSQLException.class : DuplicateKeyException.class);
    }

    @Test
    void configured_error_codes_make_spring_translate_failures_of_sqlite() {
        SQLErrorCodes codes = new SQLErrorCodes();
        codes.setDataIntegrityViolationCodes("19");
        if (isSqlite()) {
            template.setExceptionTranslator(new SQLErrorCodeSQLExceptionTranslator(codes));
        }
        insert("a");
        assertThatThrownBy(() -> insert("a")).isInstanceOf(DataIntegrityViolationException.class);
    }

    @Test
    void a_lazy_proxy_works_with_both_transaction_managers() throws SQLException {
        LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy(dataSource);
        JdbcTemplate onLazy = new JdbcTemplate(lazy);
        for (PlatformTransactionManager lazyManager :
                List.of(new JdbcTransactionManager(lazy), new DataSourceTransactionManager(lazy))) {
            TransactionTemplate transaction = new TransactionTemplate(lazyManager);
            transaction.executeWithoutResult(
                    status -> onLazy.update("INSERT INTO item(name) VALUES (?)", lazyManager.toString()));
            transaction.setReadOnly(true);
            transaction.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
            assertThatThrownBy(() -> transaction.executeWithoutResult(
                            status -> onLazy.update("INSERT INTO item(name) VALUES ('no')")))
                    .isInstanceOf(DataAccessException.class);
        }
        assertThat(names()).hasSize(2);
    }
}
