package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
    public boolean isEmpty(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet tables = statement.executeQuery("SELECT 1 FROM sqlite_master")) {
            return !tables.next();
        }
    }

    @Override
    public Path lockedFile() {
        return Path.of(url.name());
    }
}
