package dev.oneengine.migration;

import static dev.oneengine.migration.Rows.count;
import static dev.oneengine.testing.Sql.execute;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oneengine.migration.junit.MigratedDatabase;
import dev.oneengine.work.UnitOfWork;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

@MigratedDatabase
class PlansTest {
    @Test
    void a_unit_of_work_stores_a_plan(UnitOfWork work) throws SQLException {
        work.run(tx -> execute(tx.connection(), "INSERT INTO plan(name) VALUES ('mine')"));

        int plans = work.read(tx -> count(tx.connection(), "plan"));
        assertEquals(2, plans);
    }

    @Test
    void each_test_has_its_own_database(DataSource dataSource) throws SQLException {
        assertEquals(1, count(dataSource.getConnection(), "plan")); // a script inserts one
    }
}
