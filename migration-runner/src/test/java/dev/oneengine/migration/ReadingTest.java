package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.migration.Migration.State;
import dev.oneengine.testing.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading an SQLite file changes neither the file nor its folder. */
class ReadingTest extends TwoScripts {
    private Path database;

    @BeforeEach
    void createFolder() throws IOException {
        database = Files.createDirectory(directory.resolve("data")).resolve("a b.db");
    }

    private String url(String parameters) {
        return "jdbc:sqlite:" + database.toUri() + parameters;
    }

    /** Returns the files of the database with their checksums. */
    private Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.list(database.getParent())) {
            for (Path file : all.toList()) {
                files.put(file.getFileName().toString(), FileTree.sha256(Files.readAllBytes(file)));
            }
        }
        return files;
    }

    private void look(String url) {
        assertThat(on(url).pending()).isEmpty();
        assertThat(on(url).status()).extracting(Migration::state).containsOnly(State.APPLIED);
        on(url).validate();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?mode=ro", "?mode=ro&busy_timeout=100", "?psow=1&mode=ro", "?mode=rw"})
    void read_only_calls_create_no_file_beside_the_database(String parameters) throws Exception {
        on(url("")).migrate();
        cache.evict(url(""));
        Map<String, String> before = files();

        look(url(parameters));

        assertThat(files()).isEqualTo(before);
        assertThat(cache.stats().created()).isEqualTo(1);
    }

    /** The log of a dead process is part of the database, and mode=ro must keep it. */
    @Test
    void read_only_calls_with_mode_ro_keep_the_log_of_a_killed_process() throws Exception {
        Path original = database;
        on(url("")).migrate();
        Engine engine = cache.engine(url(""));
        Sql.execute(engine.dataSource(), "PRAGMA wal_checkpoint(TRUNCATE)");
        scripts.script("V3__three.sql", "CREATE TABLE three(name TEXT);");
        on(url("")).migrate();
        // Copies the files of the running engine, with the third migration still in the log.
        Path killed = Files.createDirectory(directory.resolve("killed")).resolve("x.db");
        for (String part : new String[] {"", "-wal", "-shm"}) {
            Files.copy(Path.of(original + part), Path.of(killed + part));
        }
        database = killed;
        Map<String, String> before = files();
        before.remove("x.db-shm"); // excludes the index of the log, which every reader may update

        look(url("?mode=ro"));

        Map<String, String> after = files();
        after.remove("x.db-shm");
        assertThat(after).isEqualTo(before).containsKey("x.db-wal");
    }

    @Test
    void read_only_calls_with_mode_ro_see_the_commits_of_a_running_writer() throws Exception {
        on(url("")).migrate();

        look(url("?mode=ro"));

        Sql.execute(cache.engine(url("")).dataSource(), "INSERT INTO one VALUES ('still writable')");
    }

    @Test
    void a_read_only_connection_does_not_create_a_missing_file() throws SQLException {
        ReadOnlyFile file = new ReadOnlyFile(DatabaseUrl.parse(url("")), Duration.ofSeconds(1));

        assertThatThrownBy(file::getConnection).isInstanceOf(SQLException.class);
        assertThat(database).doesNotExist();
    }
}
