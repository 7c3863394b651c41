package dev.oneengine.work;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What a transaction of one update costs in memory, over the same pool. The unit of comparison is plain JDBC. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class UnitBenchmark {
    static final String UPDATE = "UPDATE account SET balance = balance + ? WHERE id = ?";

    private final EngineCache cache = EngineCache.create();
    private final Engine engine = cache.engine("sqlite:///:memory:");
    private final DataSource dataSource = engine.dataSource();
    private final UnitOfWork work = UnitOfWork.on(engine);
    private final Jdbi jdbi = Jdbi.create(dataSource);
    private final TransactionTemplate spring = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    private final JdbcTemplate jdbcTemplate = new JdbcTemplate(dataSource);

    /** Makes the account. */
    @Setup
    public void fill() throws SQLException {
        createAccount(dataSource);
    }

    static void createAccount(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE account(id INTEGER PRIMARY KEY, balance INTEGER NOT NULL)");
            statement.execute("INSERT INTO account VALUES (1, 0)");
        }
    }

    /** Closes the engine. */
    @TearDown
    public void close() {
        cache.close();
    }

    static int update(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
            statement.setInt(1, 1);
            statement.setInt(2, 1);
            return statement.executeUpdate();
        }
    }

    /** As careful as it must be. */
    static int updateInTransaction(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                int updated = update(connection);
                connection.commit();
                return updated;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }

    /** The same by hand. */
    @Benchmark
    public int plainJdbc() throws SQLException {
        return updateInTransaction(dataSource);
    }

    /** The shortest there is: the driver's own transaction around each statement. */
    @Benchmark
    public int plainJdbcAutoCommit() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return update(connection);
        }
    }

    /** This library. */
    @Benchmark
    public int unitOfWork() throws SQLException {
        return work.call(tx -> update(tx.connection()));
    }

    /** Jdbi, with plain JDBC in the transaction. */
    @Benchmark
    public int jdbi() throws SQLException {
        return jdbi.inTransaction(handle -> update(handle.getConnection()));
    }

    /** Spring's TransactionTemplate, with its JdbcTemplate in the transaction. */
    @Benchmark
    public Integer spring() {
        return spring.execute(status -> jdbcTemplate.update(UPDATE, 1, 1));
    }
}
