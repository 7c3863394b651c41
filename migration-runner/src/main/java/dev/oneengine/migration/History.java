package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.migration.Migration.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.CoreErrorCode;
import org.flywaydb.core.api.CoreMigrationType;
import org.flywaydb.core.api.ErrorCode;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.output.MigrateResult;
import org.flywaydb.core.api.output.ValidateOutput;
import org.flywaydb.core.api.pattern.ValidatePattern;
import org.flywaydb.core.internal.info.MigrationInfoImpl;
import org.jspecify.annotations.Nullable;

/**
 * The scripts and the applied migrations of a database, at one moment, with all problems between them. Confined to its thread, like its
 * Flyway instance.
 */
final class History {
    private static final Set<ErrorCode> FAILURES =
            Set.of(CoreErrorCode.FAILED_VERSIONED_MIGRATION, CoreErrorCode.FAILED_REPEATABLE_MIGRATION);

    private final Flyway flyway;
    private final MigrationInfoService info;

    private History(Flyway flyway, MigrationInfoService info) {
        this.flyway = flyway;
        this.info = info;
    }

    /** Reads the database and changes nothing. If {@code initSql} would write, it does not run at all. */
    static History read(Flyway flyway) {
        try {
            return new History(flyway, flyway.info());
        } catch (FlywayException e) {
            if (flyway.getConfiguration().getInitSql() == null || !FlywayFailures.isReadOnly(e)) {
                throw e;
            }
            Flyway without = copy(flyway.getConfiguration()).initSql(null).load();
            return new History(without, without.info());
        }
    }

    private static FluentConfiguration copy(Configuration configuration) {
        return new FluentConfiguration(configuration.getClassLoader()).configuration(configuration);
    }

    List<Migration> migrations() {
        return Arrays.stream(info.all())
                .filter(info -> info.getType() != CoreMigrationType.DELETE) // marks another row as deleted
                .map(History::migration)
                .toList();
    }

    List<Migration> pending() {
        return Arrays.stream(info.pending()).map(History::migration).toList();
    }

    /** Whether a run would change the database. A baseline needs a run even if no script is newer. */
    boolean hasWork() {
        return info.pending().length > 0
                || (flyway.getConfiguration().isBaselineOnMigrate() && info.applied().length == 0);
    }

    /**
     * Whether all pending scripts can run in one transaction, and the user has not configured otherwise.
     *
     * @throws MigrationScriptException if a script cannot be parsed
     */
    boolean allowsOneTransaction(DatabaseUrl url) {
        return flyway.getConfiguration().isGroup()
                && Arrays.stream(info.pending()).allMatch(pending -> canExecuteInTransaction(url, pending));
    }

    /** Flyway reads this from the script or from the configuration beside it, and has no public method for it. */
    private static boolean canExecuteInTransaction(DatabaseUrl url, MigrationInfo pending) {
        try {
            return !(pending instanceof MigrationInfoImpl known) || known.canExecuteInTransaction();
        } catch (FlywayException e) {
            throw FlywayFailures.of(url, e, pending);
        }
    }

    /** Returns the newest applied version. */
    @Nullable String version() {
        MigrationInfo current = info.current();
        MigrationVersion version = current == null ? null : current.getVersion();
        return version == null ? null : version.getVersion();
    }

    /** Returns the newest applied version after a run. */
    static @Nullable String version(MigrateResult run) {
        return Stream.concat(
                        Stream.ofNullable(run.initialSchemaVersion),
                        run.migrations.stream().map(migration -> migration.version))
                .filter(version -> !version.isEmpty()) // a repeatable script has none
                .map(MigrationVersion::fromVersion)
                .max(Comparator.naturalOrder())
                .map(MigrationVersion::getVersion)
                .orElse(null);
    }

    static Migration migration(MigrationInfo info) {
        MigrationVersion version = info.getVersion();
        return new Migration(
                version == null ? null : version.getVersion(), info.getDescription(), info.getScript(), state(info));
    }

    private static State state(MigrationInfo info) {
        return switch (info.getState()) {
            case PENDING -> State.PENDING;
            case SUCCESS, OUT_OF_ORDER -> isAsApplied(info) ? State.APPLIED : State.CHANGED;
            case BASELINE -> State.APPLIED;
            case MISSING_SUCCESS -> State.MISSING;
            case FUTURE_SUCCESS -> State.NEWER;
            case IGNORED -> State.LATE;
            case FAILED, MISSING_FAILED, FUTURE_FAILED -> State.FAILED;
            case OUTDATED, SUPERSEDED -> State.SUPERSEDED;
            default -> State.SKIPPED;
        };
    }

    private static boolean isAsApplied(MigrationInfo info) {
        return info.isChecksumMatching()
                && !(info instanceof MigrationInfoImpl known
                        && known.getResolvedMigration() != null // null for the row of a schema that Flyway created
                        && !known.getResolvedMigration().getDescription().equals(known.getDescription()));
    }

    /**
     * Checks that scripts can be applied to the database in its present state.
     *
     * @throws MigrationHistoryException if they cannot
     */
    void validate(DatabaseUrl url) {
        requireNone(url, problems());
    }

    /** Checks what Flyway does not: it validates only a run with pending scripts, and by default. */
    void validateBeforeRun(DatabaseUrl url) {
        if (!flyway.getConfiguration().isValidateOnMigrate()) {
            requireNone(url, failures());
        } else if (info.pending().length == 0) {
            validate(url);
        }
    }

    private static void requireNone(DatabaseUrl url, List<String> problems) {
        if (!problems.isEmpty()) {
            throw failure(url, problems);
        }
    }

    /** Returns the exception for a history that does not fit the scripts. */
    MigrationException failure(DatabaseUrl url) {
        return failure(url, problems());
    }

    private static MigrationException failure(DatabaseUrl url, List<String> problems) {
        return new MigrationHistoryException(
                "The migrations of " + url + " do not fit its scripts: " + String.join("; ", problems), problems);
    }

    /** Returns the migrations that failed midway. Only the setting that ignores a newer history allows them. */
    private List<String> failures() {
        ValidatePattern[] ignored = flyway.getConfiguration().getIgnoreMigrationPatterns();
        return Arrays.stream(info.all())
                .filter(migration -> state(migration) == State.FAILED)
                .filter(migration -> migration.getState() != MigrationState.FUTURE_FAILED
                        || Arrays.stream(ignored)
                                .noneMatch(pattern -> pattern.matchesMigration(
                                        migration.isVersioned(), MigrationState.FUTURE_SUCCESS)))
                .map(migration -> problem(CoreErrorCode.FAILED_VERSIONED_MIGRATION, migration, ""))
                .toList();
    }

    /** Returns all problems that prevent a run, each as a sentence with its remedy. */
    private List<String> problems() {
        Configuration configuration = flyway.getConfiguration();
        List<ValidatePattern> ignored = new ArrayList<>(List.of(configuration.getIgnoreMigrationPatterns()));
        ignored.add(ValidatePattern.fromPattern("*:pending"));
        return copy(configuration)
                .ignoreMigrationPatterns(ignored.toArray(ValidatePattern[]::new))
                .load()
                .validateWithResult()
                .invalidMigrations
                .stream()
                .map(this::problem)
                .toList();
    }

    private String problem(ValidateOutput invalid) {
        String message = invalid.errorDetails.errorMessage;
        boolean failure = FAILURES.contains(invalid.errorDetails.errorCode);
        return Arrays.stream(info.all())
                .filter(migration -> isOf(migration, invalid))
                .filter(migration ->
                        migration.getState() != MigrationState.DELETED && failure == (state(migration) == State.FAILED))
                .findFirst()
                .map(migration -> problem(invalid.errorDetails.errorCode, migration, message))
                .orElseGet(() -> FlywayFailures.message(message));
    }

    /** Scripts without a version differ by their description. */
    private static boolean isOf(MigrationInfo migration, ValidateOutput invalid) {
        return invalid.version.equals(String.valueOf(Objects.requireNonNullElse(migration.getVersion(), "")))
                && (migration.isVersioned() || migration.getDescription().equals(invalid.description));
    }

    private String problem(ErrorCode code, MigrationInfo migration, String message) {
        String script = migration.getScript();
        if (code == CoreErrorCode.CHECKSUM_MISMATCH) {
            return script + " was changed after it was applied (its checksum was " + migration.getAppliedChecksum()
                    + " and is " + migration.getResolvedChecksum()
                    + "): restore it, and put the change into a new script";
        }
        if (code == CoreErrorCode.DESCRIPTION_MISMATCH) {
            return script + " was renamed after it was applied, and is now " + migration.getPhysicalLocation()
                    + ": restore its name";
        }
        return switch (state(migration)) {
            case NEWER ->
                "version " + migration.getVersion() + " (" + script + ") is applied and newer than all scripts "
                        + "here: a newer release has migrated this database, or scripts are missing; use that release, or correct the "
                        + "locations";
            case MISSING -> script + " is applied, but its script is missing: restore it, or correct the locations";
            case LATE ->
                script + " is not applied, though version " + version()
                        + " is: give it a newer version, or allow it by "
                        + "configure(flyway -> flyway.outOfOrder(true))";
            case FAILED ->
                script + " failed earlier, and the database could not roll it back: revert its changes by hand, and "
                        + "delete its row from the table "
                        + flyway.getConfiguration().getTable();
            default -> FlywayFailures.message(message);
        };
    }
}
