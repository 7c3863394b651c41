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

/** A file in a temporary directory, where its temporary copies are, too. Thread-safe once it is finished. */
final class FileOriginal implements Original {
    /** What SQLite puts beside a database, and reads as part of it. */
    private static final List<String> PARTS = List.of("-wal", "-shm", "-journal");

    private final DatabaseUrl like;
    private final Path directory;
    private final Path file;
    private final Engine engine;
    private final AtomicLong forks = new AtomicLong();

    private FileOriginal(DatabaseUrl like, Path directory, EngineSettings settings) {
        this.like = like;
        this.directory = directory;
        this.file = directory.resolve("template.db");
        this.engine = Undo.onFailure(
                () -> removeOwn(file),
                () -> EngineCache.create(EngineFactory.pooled(), settings).engine(urlOf(file)));
    }

    static FileOriginal create(DatabaseUrl like, EngineSettings settings) {
        Path directory;
        try {
            directory = Files.createTempDirectory("one-engine-");
        } catch (IOException e) {
            throw new EngineException("There can be no temporary directory for a template of " + like + ": " + e, e);
        }
        return new FileOriginal(like, directory, settings);
    }

    private DatabaseUrl urlOf(Path path) {
        return Original.like(like, "jdbc:sqlite:" + path.toUri());
    }

    @Override
    public Kind kind() {
        return Kind.SQLITE_FILE;
    }

    @Override
    public Engine engine() {
        return engine;
    }

    /** Writes the log of SQLite to the file, because forks copy only the file. */
    @Override
    public void finish() {
        try (Connection connection =
                        EngineConnections.belowPool(engine.dataSource()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        } catch (SQLException e) {
            throw new EngineException("The template of " + this + " cannot be kept: " + e.getMessage(), e);
        }
        engine.close();
        try {
            checkIsWhole();
        } catch (IOException e) {
            throw new EngineException("The template of " + this + " cannot be read: " + e, e);
        }
    }

    /** Another connection than the engine's keeps a log beside the file. */
    private void checkIsWhole() throws IOException {
        for (Path log : List.of(beside(file, "-wal"), beside(file, "-journal"))) {
            if (hasContent(log)) {
                throw new MigrationException(
                        "The template of " + this + " cannot be copied: another connection has left data in " + log
                                + ", and not in the database file; close all connections to the template",
                        null);
            }
        }
    }

    /** SQLite invalidates a log by its first byte, or its length. */
    private static boolean hasContent(Path log) throws IOException {
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
        checkIsWhole();
        copyTo(copy);
        return Undo.onFailure(() -> delete(allOf(copy).toList()), () -> {
            EngineSource source = EngineFactory.pooled().open(url, settings);
            return temporary ? new ClosingSource(source, () -> removeOwn(copy)) : source;
        });
    }

    private void copyTo(Path copy) throws IOException {
        FileChannel to = create(copy);
        Undo.onFailure(() -> Files.deleteIfExists(copy), () -> {
            try (to;
                    FileChannel from = FileChannel.open(file, StandardOpenOption.READ)) {
                refuseForeignParts(copy);
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
            throw new MigrationException("A copy must not replace " + copy + "; remove it or name another file", e);
        }
    }

    /** SQLite would replay them into the copy. */
    private static void refuseForeignParts(Path copy) {
        for (String part : PARTS) {
            if (!Files.notExists(beside(copy, part), LinkOption.NOFOLLOW_LINKS)) {
                throw new MigrationException(
                        "A copy cannot be made at " + copy + ": " + beside(copy, part)
                                + " is part of an earlier database of that name; remove it or name another file",
                        null);
            }
        }
    }

    private static Path beside(Path database, String part) {
        return database.resolveSibling(database.getFileName() + part);
    }

    /** A database and everything that SQLite may have put beside it. */
    private static Stream<Path> allOf(Path database) {
        return Stream.concat(Stream.of(database), PARTS.stream().map(part -> beside(database, part)));
    }

    /** Deletes files. If one cannot be deleted, the others are deleted all the same. */
    private static void delete(List<Path> files) throws IOException {
        if (!files.isEmpty()) {
            List<Path> others = files.subList(1, files.size());
            Undo.onFailure(() -> delete(others), () -> Files.deleteIfExists(files.get(0)));
            delete(others);
        }
    }

    /** Removes a database in the temporary directory, where nothing is anybody else's. */
    private void removeOwn(Path database) throws IOException {
        Undo.onFailure(this::removeDirectory, () -> {
            delete(Stream.concat(allOf(database), Stream.of(MigrationLock.fileOf(database)))
                    .toList());
            return database;
        });
        removeDirectory();
    }

    private void removeDirectory() throws IOException {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            // The template or a fork is left; the last of them removes it.
        }
    }

    @Override
    public void close() {
        Undo.onFailure(() -> removeOwn(file), () -> {
            engine.close();
            return engine;
        });
        try {
            removeOwn(file);
        } catch (IOException e) {
            throw new EngineException("The template " + file + " cannot be removed: " + e, e);
        }
    }

    @Override
    public String toString() {
        return like.toString();
    }
}
