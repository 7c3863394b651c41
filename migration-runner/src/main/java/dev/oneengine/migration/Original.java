package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The database that is copied. Thread-safe once {@link #finish} has returned. */
interface Original extends AutoCloseable {
    /** Makes an empty database of the kind that a URL is of. */
    static Original create(DatabaseUrl url, EngineSettings settings) {
        return switch (url.kind()) {
            case SQLITE_MEMORY -> new MemoryOriginal(url, settings);
            case SQLITE_FILE -> FileOriginal.create(url, settings);
            case POSTGRESQL -> PostgresOriginal.create(url, settings);
            case OTHER ->
                throw new MigrationException(
                        "Templates and forks are supported on SQLite and PostgreSQL only; migrate " + url
                                + " itself, with MigrationRunner",
                        null);
        };
    }

    /** The URL of another database, with the user and the parameters of one that is known. */
    static DatabaseUrl like(DatabaseUrl known, String place) {
        StringBuilder url = new StringBuilder(place);
        known.driverProperties()
                .forEach((name, value) -> url.append(url.indexOf("?") < 0 ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(encoded(value.toString())));
        return DatabaseUrl.parse(url.toString());
    }

    /** A text as it can stand in any URL. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    Kind kind();

    /** To fill the database with. */
    Engine engine();

    /** The database is filled: nothing will be written to it any more. */
    void finish();

    /** The URL of another copy. */
    DatabaseUrl nextFork();

    /**
     * Makes a copy.
     *
     * @param temporary whether it goes when its source is closed
     */
    EngineSource fork(DatabaseUrl url, EngineSettings settings, boolean temporary) throws Exception;

    @Override
    void close();
}
