package dev.oneengine.recipes;

import static dev.oneengine.recipes.Plans.count;
import static dev.oneengine.recipes.Plans.insert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.Engine;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.work.UnitOfWork;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class JdbcRecipeTest extends Recipe {
    @Test
    void plain_jdbc_and_a_unit_of_work_commit() throws SQLException {
        MigrationRunner.on(url).cache(cache).migrate();

        Engine engine = cache.engine(url);
        try (Connection connection = engine.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, "first");
            insert(connection, "second");
            connection.commit(); // close() rolls back what is not committed
        }

        UnitOfWork work = UnitOfWork.on(engine);
        work.run(tx -> {
            insert(tx.connection(), "third");
            insert(tx.connection(), "fourth"); // if this fails, neither is committed
        });
        int plans = work.read(tx -> count(tx.connection()));

        assertThat(plans).isEqualTo(4);
    }
}
