package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads transfer money, and many transfers fail. The total never changes, and no connection leaks. */
@Tag("slow")
@Timeout(120)
class BankTest {
    private static final int ACCOUNTS = 8;
    private static final int THREADS = 16;
    private static final int TRANSFERS = 40;

    @TempDir
    Path directory;

    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger expectedFailures = new AtomicInteger();

    private static final class Bounced extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void concurrent_transfers_lose_no_money(Database database) throws Exception {
        String url = database.url(directory);
        try (EngineCache cache = EngineCache.create()) {
            Engine engine = cache.engine(url);
            Sql.execute(engine.dataSource(), "CREATE TABLE account(id INTEGER PRIMARY KEY, balance INTEGER NOT NULL)");
            UnitOfWork work = UnitOfWork.builder(engine)
                    .retry(RetryPolicy.defaults().withAttempts(1_000).withDeadline(Duration.ofMinutes(2)))
                    .build();
            work.run(tx -> {
                for (int i = 0; i < ACCOUNTS; i++) {
                    Sql.execute(tx.connection(), "INSERT INTO account VALUES (" + i + ", 100)");
                }
            });

            Race.run(THREADS, thread -> {
                Random random = new Random(thread);
                for (int i = 0; i < TRANSFERS; i++) {
                    transfer(database, work, random);
                    long sum = work.<Long, SQLException>read(BankTest::sum);
                    assertThat(sum).isEqualTo(ACCOUNTS * 100);
                }
                return thread;
            });

            HikariPoolMXBean pool =
                    engine.dataSource().unwrap(HikariDataSource.class).getHikariPoolMXBean();
            await().until(() -> pool.getActiveConnections() == 0);
            assertThat(pool.getTotalConnections()).isLessThanOrEqualTo(10);
            assertThat(expectedFailures.get()).isPositive();
            if (database == Database.MEMORY) {
                // No unit was retried, so there was no conflict.
                assertThat(attempts).hasValue(THREADS * TRANSFERS);
            }
        }
    }

    private void transfer(Database database, UnitOfWork work, Random random) throws SQLException {
        int from = random.nextInt(ACCOUNTS);
        int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        int amount = random.nextInt(20);
        int trouble = random.nextInt(12);
        try {
            work.run(tx -> {
                attempts.incrementAndGet();
                add(tx.connection(), from, -amount);
                switch (trouble) {
                    case 0 -> throw new Bounced();
                    case 1 -> throw new AssertionError("an error");
                    case 2 -> swallow(work, from);
                    case 3 -> tx.setRollbackOnly();
                    case 4 -> undone(tx, to);
                    case 5 -> kill(database, tx.connection());
                    default -> {}
                }
                work.run(joined -> add(joined.connection(), to, amount));
            });
            assertThat(trouble).isGreaterThan(2);
        } catch (Bounced | AssertionError | RollbackOnlyException e) {
            expectedFailures.incrementAndGet();
            assertThat(trouble).isLessThan(3);
        } catch (SQLException | TransactionException e) {
            // Only a killed connection may cause this failure, because conflicts are retried.
            assertThat(trouble).as(() -> "unexpected " + e).isEqualTo(5);
            expectedFailures.incrementAndGet();
        }
    }

    private static void swallow(UnitOfWork work, int account) throws SQLException {
        try {
            work.run(joined -> {
                add(joined.connection(), account, 1_000);
                throw new Bounced();
            });
        } catch (Bounced e) {
            // swallowed, as in careless application code
        }
    }

    private static void undone(Transaction tx, int account) throws SQLException {
        try {
            tx.nested(inner -> {
                add(inner.connection(), account, 1_000);
                throw new Bounced();
            });
        } catch (Bounced e) {
            // expected: the nested transaction is rolled back
        }
    }

    private static void kill(Database database, Connection connection) throws SQLException {
        if (database == Database.POSTGRESQL) {
            Sql.execute(connection, "SELECT pg_terminate_backend(pg_backend_pid())");
        } else {
            Kill.physically(connection);
        }
    }

    private static void add(Connection connection, int account, int amount) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?")) {
            statement.setInt(1, amount);
            statement.setInt(2, account);
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }

    private static long sum(Transaction tx) throws SQLException {
        try (PreparedStatement statement = tx.connection().prepareStatement("SELECT sum(balance) FROM account");
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
