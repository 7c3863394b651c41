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
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A file in a temporary directory, where its temporary copies are, too. Thread-safe once it is finished. */
final class FileOriginal implements Original {
    /** What SQLite and this library put beside a database. */
    private static final List<String> COMPANIONS = List.of("-wal", "-shm", "-journal", "-migration-lock");

    private final DatabaseUrl like;
    private final Path directory;
    private final Path file;
    private final Engine engine;
    private final AtomicLong forks = new AtomicLong();

    private FileOriginal(DatabaseUrl like, Path directory, EngineSettings settings) {
        this.like = like;
        this.directory = directory;
        this.file = directory.resolve("template.db");
        this.engine = EngineCache.create(EngineFactory.pooled(), settings).engine(urlOf(file));
    }

    static FileOriginal create(DatabaseUrl like, EngineSettings settings) {
        try {
            return new FileOriginal(like, Files.createTempDirectory("one-engine-"), settings);
        } catch (IOException e) {
            throw new EngineException("There can be no temporary directory for a template of " + like + ": " + e, e);
        }
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

    /** Writes all that is in the log of SQLite to the file, so that the file is all there is to copy. */
    @Override
    public void finish() {
        engine.close();
    }

    @Override
    public DatabaseUrl nextFork() {
        return urlOf(directory.resolve("fork-" + forks.incrementAndGet() + ".db"));
    }

    @Override
    public EngineSource fork(DatabaseUrl url, EngineSettings settings, boolean temporary) throws Exception {
        Path copy = Path.of(url.name());
        try {
            Files.copy(file, copy);
        } catch (FileAlreadyExistsException e) {
            // Perhaps just made by somebody else: not to be removed.
            throw new MigrationException("A copy must not replace " + copy + "; remove it or name another file", e);
        } catch (IOException e) {
            remove(copy);
            throw e;
        }
        try {
            EngineSource source = EngineFactory.pooled().open(url, settings);
            return temporary ? new ClosingSource(source, () -> remove(copy)) : source;
        } catch (Throwable t) {
            remove(copy);
            throw t;
        }
    }

    private void remove(Path database) throws IOException {
        Files.deleteIfExists(database);
        for (String companion : COMPANIONS) {
            Files.deleteIfExists(database.resolveSibling(database.getFileName() + companion));
        }
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            // The template or a fork is left; the last of them removes it.
        }
    }

    @Override
    public void close() {
        engine.close();
        try {
            remove(file);
        } catch (IOException e) {
            throw new EngineException("The template " + file + " cannot be removed: " + e, e);
        }
    }

    @Override
    public String toString() {
        return like.toString();
    }
}
