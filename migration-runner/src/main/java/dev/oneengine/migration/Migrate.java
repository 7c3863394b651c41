package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.Preparation;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;

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
        try {
            History history = read(engine);
            checkBefore(url, history);
            if (history.pending().isEmpty()) {
                // Nobody is waited for where there is nothing to do.
                return new MigrationResult(List.of(), history.version());
            }
            if (url.kind() != Kind.SQLITE_FILE) {
                return apply(engine, history);
            }
            return MigrationLock.holding(Path.of(url.name()), setup.patience(), () -> apply(engine, read(engine)));
        } catch (FlywayException e) {
            throw FlywayFailures.of(url, e, null);
        }
    }

    private History read(Engine engine) {
        return History.read(setup.flyway(EngineConnections.forReading(engine)));
    }

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

    private MigrationResult apply(Engine engine, History before) {
        DatabaseUrl url = engine.url();
        Progress progress = new Progress(url, setup.listener(), before.pending().size());
        try {
            if (before.isForOneTransaction(url)) {
                migrateInOneTransaction(engine, progress);
            } else {
                setup.withoutGroups(url.kind())
                        .flyway(EngineConnections.forMigrating(engine), progress)
                        .migrate();
            }
        } catch (FlywayValidateException e) {
            throw historyFailure(url, read(engine).problems());
        } catch (FlywayException | SQLException | Error e) {
            throw FlywayFailures.of(url, e, progress.current());
        }
        return new MigrationResult(progress.applied(), read(engine).version());
    }

    private void migrateInOneTransaction(Engine engine, Progress progress) throws SQLException {
        try (OneTransaction transaction = OneTransaction.begin(engine, setup.patience(), progress)) {
            try {
                setup.flyway(transaction, progress).migrate();
            } catch (FlywayException e) {
                transaction.refuseIfEnded(e);
                throw e;
            }
            transaction.commit();
        }
    }
}
