package dev.oneengine.tools;

import dev.oneengine.cache.Engine;
import dev.oneengine.testing.Sql;
import dev.oneengine.work.UnitOfWork;
import java.sql.Connection;
import java.sql.SQLException;
import org.jobrunr.jobs.annotations.Job;

/**
 * The jobs of JobRunr, which calls public classes only. It stores class, method and arguments, so the engine is static.
 * Thread-safe.
 */
public final class Jobs {
    private static volatile Engine target;

    private Jobs() {}

    static void use(Engine engine) {
        target = engine;
    }

    /** Inserts a row in auto-commit. */
    public static void insert(String name) throws SQLException {
        Sql.execute(target.dataSource(), OnEachDatabase.insertion(name));
    }

    /** Inserts a row in a unit of work. */
    public static void insertInUnit(String name) throws SQLException {
        UnitOfWork.on(target).run(tx -> Sql.execute(tx.connection(), OnEachDatabase.insertion(name)));
    }

    /** Inserts a row and leaves the transaction to the pool. */
    @Job(retries = 0)
    public static void insertAndFail(String name) throws SQLException {
        try (Connection connection = target.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            Sql.execute(connection, OnEachDatabase.insertion(name));
            throw new IllegalStateException("broken");
        }
    }
}
