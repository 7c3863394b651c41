package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.testing.Sql;
import dev.oneengine.work.UnitOfWork;
import java.sql.Connection;
import java.sql.SQLException;
import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.Liquibase;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.junit.jupiter.api.Test;

/** Liquibase migrates the database of an engine. */
class LiquibaseTest extends OnEachDatabase {
    private interface Step {
        void run(Liquibase liquibase) throws LiquibaseException;
    }

    private void liquibase(String changelog, Step step) throws SQLException, LiquibaseException {
        try (Connection connection = dataSource.getConnection();
                Liquibase liquibase = new Liquibase(
                        "db/liquibase/" + changelog,
                        new ClassLoaderResourceAccessor(),
                        DatabaseFactory.getInstance()
                                .findCorrectDatabaseImplementation(new JdbcConnection(connection)))) {
            step.run(liquibase);
        }
    }

    private static void update(Liquibase liquibase) throws LiquibaseException {
        liquibase.update(new Contexts());
    }

    @Test
    void a_change_log_is_applied_once() throws Exception {
        liquibase("good.xml", LiquibaseTest::update);
        liquibase("good.xml", LiquibaseTest::update);
        assertThat(Sql.query(dataSource, "SELECT count(*) FROM plan")).isEqualTo("1");
        assertThat(Sql.query(dataSource, "SELECT count(*) FROM databasechangelog"))
                .isEqualTo("2");
    }

    @Test
    void a_failed_change_set_is_rolled_back_and_leaves_no_lock() throws Exception {
        assertThatThrownBy(() -> liquibase("bad.xml", LiquibaseTest::update)).isInstanceOf(LiquibaseException.class);
        assertThat(Sql.query(dataSource, "SELECT count(*) FROM databasechangelog"))
                .isEqualTo("1");
        liquibase("bad.xml", liquibase -> assertThat(liquibase.listLocks()).isEmpty());
        liquibase("good.xml", LiquibaseTest::update);
        assertThat(Sql.query(dataSource, "SELECT count(*) FROM plan")).isEqualTo("1");
    }

    @Test
    void a_change_set_can_be_rolled_back() throws Exception {
        liquibase("good.xml", LiquibaseTest::update);
        liquibase("good.xml", liquibase -> liquibase.rollback(2, new Contexts(), new LabelExpression()));
        assertThat(Sql.query(dataSource, "SELECT count(*) FROM databasechangelog"))
                .isEqualTo("0");
    }

    @Test
    void the_connection_returns_to_the_pool_unchanged() throws Exception {
        liquibase("good.xml", LiquibaseTest::update);
        try (Connection connection = dataSource.getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
            Sql.execute(connection, insertion("a"));
        }
        UnitOfWork.on(engine).run(tx -> Sql.execute(tx.connection(), insertion("b")));
        assertThat(names()).containsExactly("a", "b");
    }
}
