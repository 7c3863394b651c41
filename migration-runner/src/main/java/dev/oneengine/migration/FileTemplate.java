package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineException;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** A template in a file of a temporary directory, with its temporary copies. Thread-safe after {@link #finish}. */
final class FileTemplate implements TemplateDatabase {
    /** The suffixes of the files that SQLite puts beside a database and reads as parts of it. */
    private static final List<String> PARTS = List.of("-wal", "-shm", "-journal");

    private final DatabaseUrl like;
    private final Path directory;
    private final Path file;
    private final Engine engine;
    private final AtomicLong forks = new AtomicLong();

    private FileTemplate(DatabaseUrl like, Path directory, EngineSettings settings) {
        this.like = like;
        this.directory = directory;
        this.file = directory.resolve("template.db");
        this.engine = Cleanup.onFailure(
                () -> removeOwn(file),
                () -> EngineCache.create(EngineFactory.pooled(), settings).engine(urlOf(file)));
    }

    static FileTemplate create(DatabaseUrl like, EngineSettings settings) {
        Path directory;
        try {
            directory = Files.createTempDirectory("one-engine-");
        } catch (IOException e) {
            throw new EngineException("Cannot create a temporary directory for the template of " + like + ": " + e, e);
        }
        return new FileTemplate(like, directory, settings);
    }

    private DatabaseUrl urlOf(Path path) {
        return TemplateDatabase.like(like, "jdbc:sqlite:" + path.toUri());
    }

    @Override
    public Kind kind() {
        return Kind.SQLITE_FILE;
    }

    @Override
    public Engine engine() {
        return engine;
    }

    /** Writes SQLite's log to the file, because a fork copies only the file. */
    @Override
    public void finish() {
        try (Connection connection =
                        EngineConnections.belowPool(engine.dataSource()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        } catch (SQLException e) {
            throw new EngineException("Cannot create the template of " + this + ": " + e.getMessage(), e);
        }
        engine.close();
        try {
            requireNoLog();
        } catch (IOException e) {
            throw new EngineException("Cannot read the template of " + this + ": " + e, e);
        }
    }

    /** A log means that a connection outside the engine still uses the file. */
    private void requireNoLog() throws IOException {
        for (Path log : List.of(beside(file, "-wal"), beside(file, "-journal"))) {
            if (isInUse(log)) {
                throw new MigrationException(
                        "Cannot copy the template of " + this + ": another connection has left data in " + log
                                + " instead of the database file; close all connections to the template",
                        null);
            }
        }
    }

    /** An unused log is empty, or its first byte is zero. */
    private static boolean isInUse(Path log) throws IOException {
        try (InputStream in = Files.newInputStream(log)) {
            return in.read() > 0;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    @Override
    public DatabaseUrl nextFork() {
        return urlOf(directory.resolve("fork-" + forks.incrementAndGet() + ".db"));
    }

    @Override
    public EngineSource fork(DatabaseUrl url, EngineSettings settings, boolean temporary) throws Exception {
        Path copy = Path.of(url.name());
        requireNoLog();
        copyTo(copy);
        return Cleanup.onFailure(() -> delete(allOf(copy).toList()), () -> {
            EngineSource source = EngineFactory.pooled().open(url, settings);
            return temporary ? new TemporaryDatabase(source, () -> removeOwn(copy)) : source;
        });
    }

    private void copyTo(Path copy) throws IOException {
        FileChannel to = create(copy);
        Cleanup.onFailure(() -> Files.deleteIfExists(copy), () -> {
            try (to;
                    FileChannel from = FileChannel.open(file, StandardOpenOption.READ)) {
                requireNoParts(copy);
                for (long done = 0; done < from.size(); ) {
                    done += from.transferTo(done, from.size() - done, to);
                }
            }
            return copy;
        });
    }

    private static FileChannel create(Path copy) throws IOException {
        try {
            return FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new MigrationException(
                    "Cannot copy the template to " + copy + ": the file exists; remove it or name another file", e);
        } catch (NoSuchFileException e) {
            throw new MigrationException(
                    "Cannot copy the template to " + copy + ": there is no such directory; create it first", e);
        }
    }

    /** SQLite would replay such files into the copy. */
    private static void requireNoParts(Path copy) {
        for (String part : PARTS) {
            if (!Files.notExists(beside(copy, part), LinkOption.NOFOLLOW_LINKS)) {
                throw new MigrationException(
                        "Cannot copy the template to " + copy + ": " + beside(copy, part)
                                + " is part of an earlier database of that name; remove it or name another file",
                        null);
            }
        }
    }

    private static Path beside(Path database, String part) {
        return database.resolveSibling(database.getFileName() + part);
    }

    /** Returns the files of a database, whether they exist or not. */
    private static Stream<Path> allOf(Path database) {
        return Stream.concat(Stream.of(database), PARTS.stream().map(part -> beside(database, part)));
    }

    /** Deletes files. A failure for one file does not stop the deletion of the others. */
    private static void delete(List<Path> files) throws IOException {
        if (!files.isEmpty()) {
            List<Path> others = files.subList(1, files.size());
            Cleanup.onFailure(() -> delete(others), () -> Files.deleteIfExists(files.get(0)));
            delete(others);
        }
    }

    /** Removes a database from the temporary directory, and then the directory if it is empty. */
    private void removeOwn(Path database) throws IOException {
        Cleanup.onFailure(this::removeDirectory, () -> {
            delete(Stream.concat(allOf(database), Stream.of(MigrationFileLock.fileOf(database)))
                    .toList());
            return database;
        });
        removeDirectory();
    }

    private void removeDirectory() throws IOException {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            // Whichever of the template and its forks is removed last also removes the directory.
        }
    }

    @Override
    public void close() {
        Cleanup.onFailure(() -> removeOwn(file), () -> {
            engine.close();
            return engine;
        });
        try {
            removeOwn(file);
        } catch (IOException e) {
            throw new EngineException("Cannot remove the template " + file + ": " + e, e);
        }
    }

    @Override
    public String toString() {
        return like.toString();
    }
}
