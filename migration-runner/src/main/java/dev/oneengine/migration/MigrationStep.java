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
    private final FlywayFactory flyways;
    private final String fingerprint;

    MigrationStep(RunnerSettings settings, FlywayFactory flyways, String fingerprint) {
        this.settings = settings;
        this.flyways = flyways;
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
        try (FlywayDataSource source = new FlywayDataSource(EngineConnections.forReading(engine))) {
            Flyway flyway = flyways.create(source, progress);
            DatabaseSupport database = DatabaseSupport.of(url);
            Run run = new Run(engine, database, flyway, source, progress);
            Path lockedFile = database.lockedFile();
            if (lockedFile == null) {
                return applyPending(run);
            }
            if (!database.isEmpty(source)) {
                History history = readValid(run);
                if (history.pending().isEmpty()) {
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
        return history.pending().isEmpty() ? withoutWork(history) : apply(run, history);
    }

    private static MigrationResult withoutWork(History history) {
        return new MigrationResult(List.of(), history.version());
    }

    private static History readValid(Run run) {
        History history = History.read(run.flyway);
        validateBefore(run.engine.url(), history);
        return history;
    }

    /** The objects of one run. */
    private record Run(
            Engine engine, DatabaseSupport database, Flyway flyway, FlywayDataSource source, Progress progress) {}

    /** Flyway itself validates a run with pending scripts. */
    private static void validateBefore(DatabaseUrl url, History history) {
        if (!history.isValidatedOnMigrate()) {
            requireNone(url, history.failures());
        } else if (history.pending().isEmpty()) {
            validate(url, history);
        }
    }

    /**
     * Checks that scripts can be applied to the database in its present state.
     *
     * @throws MigrationHistoryException if they cannot
     */
    static void validate(DatabaseUrl url, History history) {
        requireNone(url, history.problems());
    }

    private static void requireNone(DatabaseUrl url, List<String> problems) {
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
        run.source.close(); // in a small pool, the run needs the connections that are left from reading
        try {
            boolean inOneTransaction = run.database.rollsBackSchemaChanges() && before.allowsOneTransaction(url);
            MigrateResult result = inOneTransaction ? migrateInOneTransaction(run) : migrateEachScript(run);
            return new MigrationResult(progress.applied(), History.version(result));
        } catch (FlywayValidateException e) {
            throw historyFailure(url, History.read(run.flyway).problems());
        } catch (MigrationException e) {
            throw e;
        } catch (SQLException | RuntimeException | Error e) {
            throw FlywayFailures.of(url, e, progress.current());
        }
    }

    private MigrateResult migrateInOneTransaction(Run run) throws SQLException {
        try (RunTransaction transaction = RunTransaction.begin(run.engine, settings.lockTimeout(), run.progress)) {
            run.source.switchTo(transaction);
            try {
                MigrateResult result = run.flyway.migrate();
                transaction.commit();
                return result;
            } catch (FlywayException e) {
                transaction.requireNotEnded(e);
                throw e;
            } finally {
                run.source.switchTo(EngineConnections.forReading(run.engine));
            }
        }
    }

    private MigrateResult migrateEachScript(Run run) {
        DataSource connections = new ScriptTransactions(EngineConnections.forScripts(run.engine), run.progress);
        try (FlywayDataSource source = new FlywayDataSource(connections)) {
            return flyways.createForScripts(run.database, source, run.progress).migrate();
        }
    }
}
