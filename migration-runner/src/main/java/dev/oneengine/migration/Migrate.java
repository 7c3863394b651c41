package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.Preparation;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.flywaydb.core.api.output.MigrateResult;

/** Applies the scripts of one moment. An engine runs it once; what is applied already it leaves alone. Thread-safe. */
final class Migrate implements Preparation<MigrationResult> {
    private final Setup setup;
    private final String name;

    Migrate(Setup setup, String name) {
        this.setup = setup;
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public MigrationResult prepare(Engine engine) {
        DatabaseUrl url = engine.url();
        Progress progress = new Progress(url, setup.listener());
        try (FlywaySource source = new FlywaySource(EngineConnections.forReading(engine))) {
            Flyway flyway = setup.flyway(source, progress);
            History history = History.read(flyway);
            checkBefore(url, history);
            if (history.pending().isEmpty()) {
                // Nobody is waited for where there is nothing to do.
                return new MigrationResult(List.of(), history.version());
            }
            Run run = new Run(engine, flyway, source, progress);
            return url.kind() == Kind.SQLITE_FILE
                    ? MigrationLock.holding(
                            Path.of(url.name()), setup.lockTimeout(), () -> apply(run, History.read(flyway)))
                    : apply(run, history);
        } catch (FlywayException e) {
            throw FlywayFailures.of(url, e, null);
        }
    }

    /** What one run needs. */
    private record Run(Engine engine, Flyway flyway, FlywaySource source, Progress progress) {}

    /** Flyway validates a run with pending scripts by itself. */
    private static void checkBefore(DatabaseUrl url, History history) {
        if (!history.isValidatedOnMigrate()) {
            refuse(url, history.failures());
        } else if (history.pending().isEmpty()) {
            check(url, history);
        }
    }

    /**
     * Makes sure that scripts can be applied on top of what is.
     *
     * @throws MigrationHistoryException if not
     */
    static void check(DatabaseUrl url, History history) {
        refuse(url, history.problems());
    }

    private static void refuse(DatabaseUrl url, List<String> problems) {
        if (!problems.isEmpty()) {
            throw historyFailure(url, problems);
        }
    }

    private static MigrationException historyFailure(DatabaseUrl url, List<String> problems) {
        return new MigrationHistoryException(
                "The migrations of " + url + " do not fit its scripts: " + String.join("; ", problems), problems);
    }

    private MigrationResult apply(Run run, History before) {
        DatabaseUrl url = run.engine.url();
        Progress progress = run.progress;
        progress.expect(before.pending().size());
        run.source.close(); // a connection that is left from reading would be missing in a small pool
        try {
            MigrateResult result =
                    before.isForOneTransaction(url) ? migrateInOneTransaction(run) : migrateOneByOne(run);
            return new MigrationResult(progress.applied(), History.version(result));
        } catch (FlywayValidateException e) {
            throw historyFailure(url, History.read(run.flyway).problems());
        } catch (MigrationException e) {
            throw e;
        } catch (SQLException | RuntimeException | Error e) {
            throw FlywayFailures.of(url, e, progress.current());
        }
    }

    private MigrateResult migrateOneByOne(Run run) {
        DataSource connections = new WholeTransactions(EngineConnections.forScripts(run.engine), run.progress);
        try (FlywaySource source = new FlywaySource(connections)) {
            return setup.withoutGroups(run.engine.url().kind())
                    .flyway(source, run.progress)
                    .migrate();
        }
    }

    private MigrateResult migrateInOneTransaction(Run run) throws SQLException {
        try (OneTransaction transaction = OneTransaction.begin(run.engine, setup.lockTimeout(), run.progress)) {
            run.source.use(transaction);
            try {
                MigrateResult result = run.flyway.migrate();
                transaction.commit();
                return result;
            } catch (FlywayException e) {
                transaction.refuseIfEnded(e);
                throw e;
            } finally {
                run.source.use(EngineConnections.forReading(run.engine));
            }
        }
    }
}
