package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jdbi.v3.core.transaction.SerializableTransactionRunner;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jdbi's handles and transactions. */
class JdbiTest extends OnEachDatabase {
    private static final String INSERT = "INSERT INTO item(name) VALUES (?)";

    private Jdbi jdbi;

    @BeforeEach
    void createJdbi() {
        jdbi = Jdbi.create(dataSource);
    }

    @Test
    void a_transaction_commits_or_rolls_back() throws SQLException {
        jdbi.useTransaction(handle -> handle.execute(INSERT, "a"));
        assertThatThrownBy(() -> jdbi.useTransaction(handle -> {
                    handle.execute(INSERT, "b");
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        jdbi.useTransaction(handle -> {
            handle.execute(INSERT, "c");
            handle.rollback();
        });
        assertThat(names()).containsExactly("a");
    }

    @Test
    void a_handle_may_end_its_transactions_explicitly() throws SQLException {
        try (Handle handle = jdbi.open()) {
            handle.begin();
            handle.execute(INSERT, "a");
            handle.commit();
            handle.begin();
            handle.execute(INSERT, "b");
            handle.rollback();
            handle.execute(INSERT, "c");
        }
        assertThat(names()).containsExactly("a", "c");
    }

    @Test
    void rolling_back_to_a_savepoint_reverts_part_of_the_work() throws SQLException {
        jdbi.useTransaction(handle -> {
            handle.execute(INSERT, "a");
            handle.savepoint("before");
            handle.execute(INSERT, "b");
            handle.rollbackToSavepoint("before");
            handle.execute(INSERT, "c");
        });
        assertThat(names()).containsExactly("a", "c");
    }

    @Test
    void a_read_only_handle_cannot_write() throws SQLException {
        try (Handle handle = jdbi.open()) {
            handle.setReadOnly(true);
            handle.useTransaction(inner -> assertThatThrownBy(() -> inner.execute(INSERT, "a"))
                    .isInstanceOf(UnableToExecuteStatementException.class));
        }
        jdbi.useHandle(handle -> handle.execute(INSERT, "b"));
        assertThat(names()).containsExactly("b");
    }

    @Test
    void read_only_handles_read_at_the_same_time() {
        try (Handle first = jdbi.open();
                Handle second = jdbi.open()) {
            List<Integer> counts = new ArrayList<>();
            first.setReadOnly(true);
            second.setReadOnly(true);
            first.useTransaction(outer -> {
                counts.add(count(outer));
                second.useTransaction(inner -> counts.add(count(inner)));
            });
            assertThat(counts).containsExactly(0, 0);
        }
    }

    private static int count(Handle handle) {
        return handle.createQuery("SELECT count(*) FROM item")
                .mapTo(Integer.class)
                .one();
    }

    @Test
    void every_isolation_level_is_accepted_and_reset() throws SQLException {
        for (TransactionIsolationLevel level : List.of(
                TransactionIsolationLevel.READ_COMMITTED,
                TransactionIsolationLevel.REPEATABLE_READ,
                TransactionIsolationLevel.SERIALIZABLE)) {
            TransactionIsolationLevel before = jdbi.withHandle(Handle::getTransactionIsolationLevel);
            jdbi.useTransaction(level, handle -> {
                assertThat(handle.getTransactionIsolationLevel()).isEqualTo(level);
                handle.execute(INSERT, level.name());
            });
            assertThat(jdbi.<TransactionIsolationLevel, RuntimeException>withHandle(
                            Handle::getTransactionIsolationLevel))
                    .isEqualTo(before);
        }
        assertThat(names()).hasSize(3);
    }

    @Test
    void the_serializable_runner_works() throws SQLException {
        jdbi.setTransactionHandler(new SerializableTransactionRunner());
        jdbi.useTransaction(TransactionIsolationLevel.SERIALIZABLE, handle -> handle.execute(INSERT, "a"));
        assertThat(names()).containsExactly("a");
    }

    @Test
    void a_call_inside_a_transaction_joins_the_transaction() throws SQLException {
        assertThatThrownBy(() -> jdbi.useTransaction(handle -> {
                    handle.execute(INSERT, "a");
                    jdbi.useHandle(joined -> joined.execute(INSERT, "b"));
                    jdbi.useTransaction(joined -> joined.execute(INSERT, "c"));
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(names()).isEmpty();
    }

    @Test
    void a_second_handle_fails_at_once_on_sqlite() throws SQLException {
        jdbi.useTransaction(handle -> {
            handle.execute(INSERT, "a");
            try (Handle second = jdbi.open()) {
                if (isSqlite()) {
                    SelfWait.assertRejected(engine, () -> second.execute(INSERT, "b"));
                } else {
                    second.execute(INSERT, "b");
                }
            }
        });
        assertThat(names()).hasSize(isSqlite() ? 1 : 2);
    }

    @Test
    void work_after_the_commit_may_use_any_handle() throws SQLException {
        jdbi.useTransaction(handle -> {
            handle.execute(INSERT, "a");
            handle.afterCommit(() -> {
                jdbi.useTransaction(same -> same.execute(INSERT, "b"));
                try (Handle second = jdbi.open()) {
                    second.execute(INSERT, "c");
                }
            });
        });
        assertThat(names()).containsExactly("a", "b", "c");
    }

    @Test
    void generated_keys_are_returned_for_single_rows() {
        jdbi.useHandle(handle -> {
            for (long expected = 1; expected <= 3; expected++) {
                long key = handle.createUpdate(INSERT)
                        .bind(0, "item " + expected)
                        .executeAndReturnGeneratedKeys("id")
                        .mapTo(Long.class)
                        .one();
                assertThat(key).isEqualTo(expected);
            }
        });
    }

    @Test
    void batches_are_part_of_the_transaction() throws SQLException {
        jdbi.useTransaction(handle -> {
            PreparedBatch batch = handle.prepareBatch(INSERT);
            batch.add("a").add("b");
            assertThat(batch.execute()).containsExactly(1, 1);
        });
        assertThatThrownBy(() -> jdbi.useTransaction(
                        handle -> handle.prepareBatch(INSERT).add("c").add("c").execute()))
                .isInstanceOf(UnableToExecuteStatementException.class);
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void a_stream_is_read_while_the_transaction_writes() throws SQLException {
        jdbi.useTransaction(handle -> {
            handle.execute(INSERT, "a");
            handle.execute(INSERT, "b");
            try (Stream<String> names =
                    handle
                            .createQuery("SELECT name FROM item ORDER BY name")
                            .setFetchSize(1)
                            .mapTo(String.class)
                            .stream()) {
                names.limit(2).forEach(name -> handle.execute(INSERT, "copy of " + name));
            }
        });
        assertThat(names()).hasSize(4);
    }
}
