package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;

/** SQLite in a file, which several processes may use. Immutable and thread-safe. */
final class SqliteFileSupport extends SqliteSupport {
    private final DatabaseUrl url;

    SqliteFileSupport(DatabaseUrl url) {
        this.url = url;
    }

    /** An engine would create a missing file, and switch an existing one to another journal. */
    @Override
    public DataSource readWithoutEngine(Duration busyTimeout) {
        return Files.notExists(lockedFile()) ? emptyDatabase() : new ReadOnlyFile(url, busyTimeout);
    }

    @Override
    public Path lockedFile() {
        return Path.of(url.name());
    }
}
