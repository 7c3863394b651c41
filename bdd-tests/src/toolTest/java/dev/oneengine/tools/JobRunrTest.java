package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneengine.testing.Sql;
import dev.oneengine.work.UnitOfWork;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.JobId;
import org.jobrunr.jobs.states.FailedState;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** JobRunr keeps its jobs in the database of an engine, and the jobs write to it. */
class JobRunrTest extends OnEachDatabase {
    private StorageProvider storage;
    private JobScheduler scheduler;

    @BeforeEach
    void configure() {
        Jobs.use(engine);
        storage = SqlStorageProviderFactory.using(dataSource);
        scheduler = scheduler(storage, 41);
    }

    /**
     * Configures JobRunr; its server does not start yet. With a worker for each job it fetches all jobs at once; with fewer, the
     * last ones may wait for the next poll.
     */
    static JobScheduler scheduler(StorageProvider storage, int workers) {
        return JobRunr.configure()
                .useStorageProvider(storage)
                .useBackgroundJobServer(
                        BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                                .andWorkerCount(workers)
                                .andPollInterval(Duration.ofSeconds(5)), // the minimum that JobRunr accepts
                        false)
                .initialize()
                .getJobScheduler();
    }

    @AfterEach
    void stop() {
        JobRunr.destroy();
    }

    @Test
    void jobs_run_once_each_and_failures_are_recorded() throws SQLException {
        for (int i = 0; i < 20; i++) {
            String name = "job " + i;
            scheduler.enqueue(() -> Jobs.insert(name));
        }
        scheduler.enqueue(IntStream.range(20, 40).mapToObj(i -> "job " + i), name -> Jobs.insertInUnit(name));
        JobId failing = scheduler.enqueue(() -> Jobs.insertAndFail("failing"));
        JobRunr.getBackgroundJobServer().start();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> storage.countJobs(StateName.SUCCEEDED) == 40 && storage.countJobs(StateName.FAILED) == 1);
        assertThat(names()).hasSize(40).doesNotContain("failing");
        FailedState failure = storage.getJobById(failing).getJobState();
        assertThat(failure.getExceptionMessage()).isEqualTo("broken");
    }

    @Test
    void enqueueing_inside_a_unit_fails_at_once_on_sqlite() throws SQLException {
        UnitOfWork.on(engine).run(tx -> {
            Sql.execute(tx.connection(), insertion("a"));
            if (isSqlite()) {
                SelfWait.assertRejected(engine, () -> scheduler.enqueue(() -> Jobs.insert("b")));
            } else {
                scheduler.enqueue(() -> Jobs.insert("b"));
            }
        });
        assertThat(storage.countJobs(StateName.ENQUEUED)).isEqualTo(isSqlite() ? 0 : 1);
    }

    @Test
    void enqueueing_after_the_commit_works() throws SQLException {
        UnitOfWork.on(engine).run(tx -> {
            Sql.execute(tx.connection(), insertion("a"));
            tx.afterCommit(() -> scheduler.enqueue(() -> Jobs.insert("b")));
        });
        assertThat(storage.countJobs(StateName.ENQUEUED)).isEqualTo(1);
    }

    @Test
    void a_second_start_reuses_the_tables() throws SQLException {
        String migrations = "SELECT count(*) FROM jobrunr_migrations";
        String before = Sql.query(dataSource, migrations);
        SqlStorageProviderFactory.using(dataSource).close();
        assertThat(Sql.query(dataSource, migrations)).isEqualTo(before);
    }
}
