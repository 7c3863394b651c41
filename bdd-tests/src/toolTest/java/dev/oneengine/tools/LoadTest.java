package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import dev.oneengine.work.UnitOfWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.jdbi.v3.core.Jdbi;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tools of all kinds write at the same time, on one engine. */
class LoadTest extends OnEachDatabase {
    private static final int WRITERS = 16;
    private static final int COMMITS = 40;

    /** Writes one row in one transaction; a failure rolls it back. */
    @FunctionalInterface
    private interface Writer {
        void write(String name, boolean fail) throws Exception;
    }

    /** Thrown by a writer to roll back on purpose. */
    private static final class Rollback extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private SessionFactory sessions;
    private List<Writer> writers;

    @BeforeEach
    void createWriters() {
        sessions = new HibernatePersistenceConfiguration("load")
                .managedClass(Item.class)
                .property(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, dataSource)
                .createEntityManagerFactory();
        JdbcTemplate template = new JdbcTemplate(dataSource);
        TransactionTemplate spring = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        Jdbi jdbi = Jdbi.create(dataSource);
        UnitOfWork work = UnitOfWork.on(engine);
        SQLDialect dialect = isSqlite() ? SQLDialect.SQLITE : SQLDialect.POSTGRES;
        writers = List.of(
                this::autoCommit,
                this::plainTransaction,
                (name, fail) -> work.run(tx -> {
                    Sql.query(tx.connection(), "SELECT count(*) FROM item");
                    Sql.execute(tx.connection(), insertion(name));
                    rollbackIf(fail);
                }),
                (name, fail) -> spring.executeWithoutResult(status -> {
                    template.queryForObject("SELECT count(*) FROM item", Integer.class);
                    template.update(insertion(name));
                    rollbackIf(fail);
                }),
                (name, fail) -> jdbi.useTransaction(handle -> {
                    handle.select("SELECT count(*) FROM item")
                            .mapTo(Integer.class)
                            .one();
                    handle.execute(insertion(name));
                    rollbackIf(fail);
                }),
                (name, fail) -> DSL.using(dataSource, dialect).transaction(transaction -> {
                    transaction.dsl().fetchCount(DSL.table("item"));
                    transaction.dsl().execute(insertion(name));
                    rollbackIf(fail);
                }),
                (name, fail) -> sessions.inTransaction(session -> {
                    session.createSelectionQuery("select count(*) from item", Long.class)
                            .getSingleResult();
                    session.persist(new Item(name));
                    session.flush();
                    rollbackIf(fail);
                }));
    }

    @AfterEach
    void closeSessions() {
        sessions.close();
    }

    private static void rollbackIf(boolean fail) {
        if (fail) {
            throw new Rollback();
        }
    }

    private void autoCommit(String name, boolean fail) throws SQLException {
        rollbackIf(fail);
        Sql.execute(dataSource, insertion(name));
    }

    private void plainTransaction(String name, boolean fail) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            names(connection);
            Sql.execute(connection, insertion(name));
            rollbackIf(fail);
            connection.commit();
        }
    }

    /** Writes until a number of commits is reached; each fourth transaction rolls back. */
    private int write(int thread, int commits) throws Exception {
        Writer writer = writers.get(thread % writers.size());
        int committed = 0;
        for (int i = 0; committed < commits; i++) {
            try {
                writer.write("writer " + thread + " row " + i, i % 4 == 3);
                committed++;
            } catch (Rollback e) {
                // not committed
            }
        }
        return committed;
    }

    @Test
    void sixteen_writers_of_all_tools_lose_no_row() throws SQLException {
        List<Integer> committed = Race.run(WRITERS, thread -> write(thread, COMMITS));
        assertThat(committed).hasSize(WRITERS).containsOnly(COMMITS);
        assertThat(names()).hasSize(WRITERS * COMMITS);
    }

    @Test
    void sixteen_writers_in_auto_commit_lose_no_row() throws SQLException {
        Race.run(WRITERS, thread -> {
            for (int i = 0; i < COMMITS; i++) {
                Sql.execute(dataSource, insertion("writer " + thread + " row " + i));
            }
            return COMMITS;
        });
        assertThat(names()).hasSize(WRITERS * COMMITS);
    }

    @Test
    void readers_see_whole_transactions_beside_writers() throws SQLException {
        Sql.execute(dataSource, "CREATE TABLE counter(id INTEGER PRIMARY KEY, value INTEGER NOT NULL)");
        for (int thread = 0; thread < WRITERS / 2; thread++) {
            Sql.execute(dataSource, "INSERT INTO counter VALUES (" + thread + ", 0)");
        }
        Race.run(WRITERS, thread -> thread % 2 == 0 ? count(thread / 2) : compare());
        assertThat(Sql.query(dataSource, "SELECT sum(value) FROM counter"))
                .isEqualTo(Integer.toString(WRITERS / 2 * COMMITS));
        assertThat(names()).hasSize(WRITERS / 2 * COMMITS);
    }

    private int count(int thread) throws SQLException {
        for (int i = 0; i < COMMITS; i++) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                Sql.execute(
                        connection,
                        insertion("writer " + thread + " row " + i),
                        "UPDATE counter SET value = value + 1 WHERE id = " + thread);
                connection.commit();
            }
        }
        return COMMITS;
    }

    private int compare() throws SQLException {
        for (int i = 0; i < COMMITS; i++) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setReadOnly(true);
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery(
                                "SELECT (SELECT count(*) FROM item), (SELECT sum(value) FROM counter)")) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getInt(1)).isEqualTo(row.getInt(2));
                }
                connection.commit();
            }
        }
        return COMMITS;
    }

    @Test
    void one_engine_serves_boot_jobrunr_hibernate_units_and_migrations() throws Exception {
        int jobs = 40;
        int migrations = 5;
        Jobs.use(engine);
        StorageProvider storage = SqlStorageProviderFactory.using(dataSource);
        JobScheduler scheduler = JobRunrTest.scheduler(storage, jobs);
        try (ConfigurableApplicationContext application = BootTest.Application.start(dataSource);
                Race race = Race.withThreads(10)) {
            BootTest.Shop shop = application.getBean(BootTest.Shop.class);
            scheduler.enqueue(IntStream.range(0, jobs).mapToObj(i -> "job " + i), name -> Jobs.insertInUnit(name));
            JobRunr.getBackgroundJobServer().start();
            await().until(() -> storage.countJobs(StateName.ENQUEUED) < jobs);
            List<Future<Integer>> threads = IntStream.range(0, writers.size())
                    .mapToObj(thread -> race.start(() -> write(thread, COMMITS)))
                    .toList();
            Future<Integer> boot = race.start(() -> addTo(shop));
            Future<Integer> migrating = race.start(() -> migrate(migrations));
            Future<Integer> scheduling = race.start(() -> schedule(scheduler));
            int committed = threads.stream().mapToInt(race::result).sum() + race.result(boot);
            assertThat(committed).isEqualTo((writers.size() + 1) * COMMITS);
            assertThat(race.result(migrating)).isEqualTo(migrations);
            long scheduled = race.result(scheduling);
            assertThat(storage.countJobs(StateName.SCHEDULED)).isEqualTo(scheduled);
            await().atMost(Duration.ofSeconds(30)).until(() -> storage.countJobs(StateName.SUCCEEDED) == jobs);
            assertThat(names()).hasSize(committed + migrations + jobs);
        } finally {
            JobRunr.destroy();
        }
    }

    private static int addTo(BootTest.Shop shop) {
        for (int i = 0; i < COMMITS; i++) {
            shop.add("boot " + i);
            assertThat(shop.count()).isPositive();
        }
        return COMMITS;
    }

    private static int schedule(JobScheduler scheduler) {
        for (int i = 0; i < COMMITS; i++) {
            String name = "tomorrow " + i;
            scheduler.schedule(Instant.now().plus(Duration.ofDays(1)), () -> Jobs.insert(name));
        }
        return COMMITS;
    }

    /** Adds scripts one after the other and applies each. */
    private int migrate(int count) throws IOException {
        Path scripts = Files.createDirectory(directory.resolve("scripts"));
        int applied = 0;
        for (int version = 1; version <= count; version++) {
            Files.writeString(
                    scripts.resolve("V" + version + "__more.sql"),
                    "CREATE TABLE more_" + version + "(id INT);\n" + insertion("migration " + version) + ";\n");
            applied += MigrationRunner.on(engine)
                    .locations("filesystem:" + scripts)
                    .configure(flyway -> flyway.baselineOnMigrate(true).baselineVersion("0"))
                    .migrate()
                    .applied()
                    .size();
        }
        return applied;
    }
}
