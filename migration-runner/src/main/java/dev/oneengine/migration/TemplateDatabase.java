package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * A migrated database and its copies. Thread-safe after {@link #finish} has returned; before that, confined to its thread.
 */
interface TemplateDatabase extends AutoCloseable {
    /** Creates an empty database of the same kind as a URL. To add a database, implement this interface and add a line here. */
    static TemplateDatabase create(DatabaseUrl url, EngineSettings settings) {
        return switch (url.kind()) {
            case SQLITE_MEMORY -> new MemoryTemplate(url, settings);
            case SQLITE_FILE -> FileTemplate.create(url, settings);
            case POSTGRESQL -> PostgresTemplate.create(url, settings);
            case OTHER ->
                throw new MigrationException(
                        "Cannot create a template of " + url
                                + ": only SQLite and PostgreSQL support templates and forks; "
                                + "migrate the database itself with MigrationRunner",
                        null);
        };
    }

    /** Returns the URL of another database, with the user and the parameters of a known URL. */
    static DatabaseUrl like(DatabaseUrl known, String database) {
        StringBuilder url = new StringBuilder(database);
        known.driverProperties()
                .forEach((name, value) -> url.append(url.indexOf("?") < 0 ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(encoded(value.toString())));
        return DatabaseUrl.parse(url.toString());
    }

    /** Encodes a text for any part of a URL. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    Kind kind();

    /** Returns the engine that migrates and fills this database. */
    Engine engine();

    /** Closes this database to all writers, so that it can be copied. */
    void finish();

    /** Returns the URL of a new temporary copy. */
    DatabaseUrl nextFork();

    /**
     * Copies this database.
     *
     * @param temporary whether closing its source removes the copy
     */
    EngineSource fork(DatabaseUrl url, EngineSettings settings, boolean temporary) throws Exception;

    @Override
    void close();
}
