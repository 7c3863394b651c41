package dev.oneengine.migration;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.TreeMap;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of a runner, by what makes them other scripts: names, checksums, placeholders, and the settings of Flyway that
 * change what comes of them.
 *
 * <p>Thread-safe. Reading scripts takes milliseconds, so what was read is kept as long as the files are what they were.
 */
final class Scripts {
    private final Setup setup;

    private volatile @Nullable Known known;

    /** What was read, and where from. */
    private record Known(Configuration configuration, String stamp, String name) {}

    Scripts(Setup setup) {
        this.setup = setup;
    }

    /**
     * What tells these scripts from others; equal for equal scripts, whichever runner they are of.
     *
     * @throws MigrationException if they cannot be read
     */
    String name() {
        Known last = known;
        if (last != null && last.stamp.equals(ScriptFiles.stamp(last.configuration))) {
            return last.name;
        }
        try {
            Flyway flyway = setup.flywayOnScripts();
            // Before the scripts are read: what changes after that is seen next time.
            String stamp = ScriptFiles.stamp(flyway.getConfiguration());
            String name = read(flyway);
            known = stamp == null ? null : new Known(flyway.getConfiguration(), stamp, name);
            return name;
        } catch (FlywayException e) {
            throw new MigrationException(
                    "The migrations cannot be read: " + FlywayFailures.message(e), FlywayFailures.cause(e));
        }
    }

    private String read(Flyway flyway) {
        StringBuilder text = new StringBuilder();
        MigrationInfo[] migrations = flyway.info().all();
        for (MigrationInfo migration : migrations) {
            text.append(migration.getType())
                    .append(' ')
                    .append(migration.getVersion())
                    .append(' ')
                    .append(migration.getScript())
                    .append(' ')
                    .append(migration.getResolvedChecksum())
                    .append('\n');
        }
        text.append(settings(setup.configuration()));
        String sum = ScriptFiles.sha256(text.toString().getBytes(StandardCharsets.UTF_8));
        return "migrations " + sum.substring(0, 16) + ", " + migrations.length + " in all";
    }

    /** With other values of these, the same scripts are another migration. */
    private static String settings(Configuration configuration) {
        return String.join(
                "\n",
                "placeholders " + new TreeMap<>(configuration.getPlaceholders()),
                configuration.getPlaceholderPrefix()
                        + configuration.getPlaceholderSuffix()
                        + configuration.isPlaceholderReplacement(),
                "target " + configuration.getTarget(),
                "table " + configuration.getTable() + " in " + configuration.getDefaultSchema() + " "
                        + Arrays.toString(configuration.getSchemas()) + " " + configuration.getTablespace(),
                "baseline " + configuration.getBaselineVersion() + " " + configuration.isBaselineOnMigrate(),
                "order " + configuration.isOutOfOrder() + " " + configuration.isSkipExecutingMigrations(),
                "transaction " + configuration.isGroup() + " " + configuration.isMixed() + " "
                        + configuration.isExecuteInTransaction(),
                "sql " + configuration.getInitSql() + " " + configuration.getEncoding());
    }
}
