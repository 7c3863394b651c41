package dev.oneengine.migration;

import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.pattern.ValidatePattern;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of a runner, by what makes them other scripts: names, checksums, placeholders, and the settings of Flyway that
 * change what comes of them.
 *
 * <p>Thread-safe. Reading scripts takes milliseconds, so what was read is kept as long as the files are what they were.
 */
final class Scripts {
    private static final Set<Class<?>> PLAIN = Set.of(
            boolean.class,
            int.class,
            String.class,
            String[].class,
            Charset.class,
            Map.class,
            MigrationVersion.class,
            ValidatePattern[].class);

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
        try (FlywaySource empty = new FlywaySource(new StandInDatabase())) {
            Known last = known;
            if (last != null && last.stamp.equals(ScriptFiles.stamp(last.configuration))) {
                return last.name;
            }
            FluentConfiguration configuration = setup.configuration();
            String settings = settings(configuration); // all of them
            Flyway flyway = Setup.flywayOnScripts(configuration, empty);
            // Before the scripts are read: what changes after that is seen next time.
            String stamp = ScriptFiles.stamp(flyway.getConfiguration());
            String name = read(flyway, settings);
            known = stamp == null ? null : new Known(flyway.getConfiguration(), stamp, name);
            return name;
        } catch (FlywayException | UncheckedIOException e) {
            throw new MigrationException(
                    "The migrations cannot be read: " + FlywayFailures.message(e), FlywayFailures.cause(e));
        }
    }

    private static String read(Flyway flyway, String settings) {
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
        text.append(ScriptFiles.callbacks(flyway.getConfiguration())).append(settings);
        String sum = ScriptFiles.sha256(text.toString().getBytes(StandardCharsets.UTF_8));
        return "migrations " + sum.substring(0, 16) + ", " + migrations.length + " in all";
    }

    /**
     * All settings of Flyway that are plain data: with other values the same scripts may be another migration. The lock timeout is left
     * out, and locations are, as the scripts themselves are in the name.
     */
    private static String settings(Configuration configuration) {
        return Arrays.stream(Configuration.class.getMethods())
                .filter(getter -> getter.getParameterCount() == 0
                        && PLAIN.contains(getter.getReturnType())
                        && !getter.getName().equals("getLockRetryCount")
                        && !getter.getName().startsWith("getCached"))
                .map(getter -> getter.getName() + " " + value(getter, configuration))
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    private static String value(Method getter, Configuration configuration) {
        try {
            Object value = getter.invoke(configuration);
            if (value instanceof Map<?, ?> map) {
                return new TreeMap<>(map).toString();
            }
            return value instanceof Object[] values ? Arrays.toString(values) : String.valueOf(value);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Flyway does not tell its setting " + getter.getName(), e);
        }
    }
}
