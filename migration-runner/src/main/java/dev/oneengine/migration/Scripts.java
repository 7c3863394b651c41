package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.pattern.ValidatePattern;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of a runner, and their fingerprint. Reading them takes milliseconds, so the fingerprint is cached until a file changes.
 *
 * <p>Thread-safe. The cache is one volatile reference to an immutable record, and threads that race for it write equal records.
 */
final class Scripts {
    /** The types of Flyway's settings that are plain data. */
    private static final Set<Class<?>> PLAIN = Set.of(
            boolean.class,
            int.class,
            String.class,
            String[].class,
            Charset.class,
            Map.class,
            MigrationVersion.class,
            ValidatePattern[].class);

    private final RunnerSettings runner;
    private final DatabaseUrl url;

    private volatile @Nullable Cached cached;

    /** A fingerprint, with the stamp of the files at these locations. */
    private record Cached(ScriptFiles files, ScriptStamp stamp, String fingerprint) {}

    Scripts(RunnerSettings runner, DatabaseUrl url) {
        this.runner = runner;
        this.url = url;
    }

    /**
     * Returns a text that is equal for equal scripts of any runner. It covers their names and checksums, their placeholders, and the
     * settings of Flyway that change their effect.
     *
     * @throws MigrationException if the scripts cannot be read
     */
    String fingerprint() {
        try {
            Cached last = cached;
            if (last != null && isCurrent(last)) {
                return last.fingerprint;
            }
            FluentConfiguration configuration = runner.configuration(defaults -> {});
            String settings = settings(configuration); // before some are reset for the empty database
            Flyway flyway = FlywayFactory.createForReadingScripts(
                    configuration, DatabaseSupport.of(url).emptyDatabase());
            ScriptFiles files = new ScriptFiles(flyway.getConfiguration());
            ScriptStamp stamp = files.stamp(); // before the scripts are read, so that the next call sees later changes
            String fingerprint = read(flyway, files, settings);
            cached = stamp == null ? null : new Cached(files, stamp, fingerprint);
            return fingerprint;
        } catch (FlywayException | UncheckedIOException e) {
            throw new MigrationException(
                    "Cannot read the migrations of " + url + ": " + FlywayFailures.messageOfScripts(e),
                    FlywayFailures.cause(e));
        }
    }

    private boolean isCurrent(Cached last) {
        if (last.files.isCurrent(last.stamp)) {
            return true;
        }
        ScriptStamp stamp = last.files.stamp();
        if (stamp == null || !stamp.text().equals(last.stamp.text())) {
            return false;
        }
        cached = new Cached(last.files, stamp, last.fingerprint); // the next check may be cheaper
        return true;
    }

    private static String read(Flyway flyway, ScriptFiles files, String settings) {
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
        text.append(files.besideScripts()).append(settings);
        String sum = FileTree.sha256(text.toString().getBytes(StandardCharsets.UTF_8));
        return "migrations " + sum.substring(0, 16) + ", " + migrations.length + " in all";
    }

    /**
     * Returns all settings of Flyway that are plain data: other values may give the same scripts another effect. The lock timeout is
     * left out. So are the locations, because the fingerprint covers the scripts themselves.
     */
    private static String settings(Configuration configuration) {
        List<String> settings = new ArrayList<>();
        for (Method getter : Configuration.class.getMethods()) {
            if (getter.getParameterCount() == 0
                    && PLAIN.contains(getter.getReturnType())
                    && !getter.getName().equals("getLockRetryCount")
                    && !getter.getName().startsWith("getCached")) {
                settings.add(getter.getName() + " " + value(getter, configuration));
            }
        }
        Collections.sort(settings);
        return String.join("\n", settings);
    }

    private static String value(Method getter, Configuration configuration) {
        try {
            Object value = getter.invoke(configuration);
            if (value instanceof Map<?, ?> map) {
                return new TreeMap<>(map).toString();
            }
            return value instanceof Object[] values ? Arrays.toString(values) : String.valueOf(value);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Cannot read a setting of Flyway: " + getter.getName(), e);
        }
    }
}
