package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
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

/** The one-time setup of an engine that applies all pending scripts. Immutable and thread-safe. */
final class MigrationStep implements Preparation<MigrationResult> {
    private final RunnerSettings settings;
    private final String fingerprint;

    MigrationStep(RunnerSettings settings, String fingerprint) {
        this.settings = settings;
        this.fingerprint = fingerprint;
    }

    @Override
    public String name() {
        return fingerprint;
    }

    @Override
    public MigrationResult prepare(Engine engine) {
        DatabaseUrl url = engine.url();
        Progress progress = new Progress(url, settings.listener());
        DatabaseSupport database = DatabaseSupport.of(url);
        try (FlywayDataSource source = new FlywayDataSource(EngineConnections.forReading(engine, database))) {
            Flyway flyway = FlywayFactory.create(settings, source, progress);
            Run run = new Run(engine, database, flyway, source, progress);
            Path lockedFile = database.lockedFile();
            if (lockedFile == null) {
                return applyPending(run);
            }
            if (!database.isEmpty(source)) {
                History history = readValid(run);
                if (!history.hasWork()) {
                    return withoutWork(history); // and without the lock
                }
            }
            return MigrationFileLock.holding(lockedFile, settings.lockTimeout(), () -> applyPending(run));
        } catch (FlywayException | SQLException e) {
            throw FlywayFailures.of(url, e, null);
        }
    }

    private MigrationResult applyPending(Run run) {
        History history = readValid(run);
        return history.hasWork() ? apply(run, history, history.pending().size()) : withoutWork(history);
    }

    private static MigrationResult withoutWork(History history) {
        return new MigrationResult(List.of(), history.version());
    }

    private static History readValid(Run run) {
        History history = History.read(run.flyway);
        history.validateBeforeRun(run.engine.url());
        return history;
    }

    /** The objects of one run. */
    private record Run(
            Engine engine, DatabaseSupport database, Flyway flyway, FlywayDataSource source, Progress progress) {}

    private MigrationResult apply(Run run, History before, int pending) {
        Progress progress = run.progress;
        progress.expect(pending);
        run.source.close(); // in a small pool, the run needs the connections that are left from reading
        try {
            boolean inOneTransaction =
                    run.database.rollsBackSchemaChanges() && before.allowsOneTransaction(run.engine.url());
            MigrateResult result = inOneTransaction ? migrateInOneTransaction(run) : migrateEachScript(run);
            return new MigrationResult(progress.applied(), History.version(result));
        } catch (FlywayValidateException e) {
            throw History.read(run.flyway).failure(run.engine.url());
        } catch (MigrationException e) {
            throw e;
        } catch (SQLException | RuntimeException | Error e) {
            throw FlywayFailures.of(run.engine.url(), e, progress.current());
        }
    }

    private MigrateResult migrateInOneTransaction(Run run) throws SQLException {
        try (RunTransaction transaction =
                RunTransaction.begin(run.engine, run.database, settings.lockTimeout(), run.progress)) {
            run.source.switchTo(transaction);
            try {
                MigrateResult result = run.flyway.migrate();
                transaction.commit();
                return result;
            } catch (FlywayException e) {
                transaction.requireNotEnded(e);
                throw e;
            } finally {
                run.source.switchTo(EngineConnections.forReading(run.engine, run.database));
            }
        }
    }

    private MigrateResult migrateEachScript(Run run) {
        DataSource connections =
                new ScriptTransactions(EngineConnections.forScripts(run.engine, run.database), run.progress);
        try (FlywayDataSource source = new FlywayDataSource(connections)) {
            return FlywayFactory.createForScripts(settings, run.database, source, run.progress)
                    .migrate();
        }
    }
}
