package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteConnection;

@Timeout(60)
class FileDatabaseTest {
    private final EngineCache cache = EngineCache.create();
    private Path folder;

    @BeforeEach
    void folder(@TempDir Path temporary) throws IOException {
        folder = temporary.toRealPath();
    }

    @AfterEach
    void close() {
        cache.close();
        Pools.awaitNoThreads();
    }

    @ParameterizedTest
    @ValueSource(strings = {"app.db", "with blank.db", "50%.db", "a#b.db", "ä.db"})
    void a_file_is_in_wal_mode_with_foreign_keys(String name) throws SQLException {
        Path file = folder.resolve(name);
        DataSource dataSource = cache.engine("jdbc:sqlite:" + file).dataSource();
        Sql.execute(dataSource, "CREATE TABLE t(x)");

        assertThat(Sql.query(dataSource, "PRAGMA journal_mode")).isEqualTo("wal");
        assertThat(Sql.query(dataSource, "PRAGMA foreign_keys")).isEqualTo("1");
        assertThat(Sql.query(dataSource, "PRAGMA busy_timeout")).isEqualTo("5000");
        assertThat(file).exists();
        assertThat(cache.engine("sqlite:///" + folder + "/./" + name).dataSource())
                .isSameAs(dataSource);
    }

    @Test
    void a_file_may_have_a_question_mark_in_its_name() throws SQLException {
        Sql.execute(cache.engine("jdbc:sqlite:file:" + folder + "/a%3Fb.db").dataSource(), "CREATE TABLE t(x)");
        assertThat(folder.resolve("a?b.db")).exists();
    }

    /** SQLite ignores the timeout when it locks a new file to switch its journal: it fails at once. */
    @Tag("slow")
    @Test
    void caches_that_race_for_a_new_file_all_get_an_engine() {
        for (int round = 0; round < 100; round++) {
            String url = "jdbc:sqlite:" + folder.resolve("new" + round + ".db");

            List<String> modes = Race.run(4, index -> {
                try (EngineCache own = EngineCache.create()) {
                    return Sql.query(own.engine(url).dataSource(), "PRAGMA journal_mode");
                }
            });

            assertThat(modes).containsOnly("wal");
        }
    }

    @Test
    void an_immutable_file_keeps_its_journal_mode() throws SQLException {
        String url = "jdbc:sqlite:" + folder.resolve("app.db");
        Sql.execute(cache.engine(url + "?journal_mode=DELETE").dataSource(), "CREATE TABLE t(x)");
        cache.evict(url);

        DataSource dataSource = cache.engine("jdbc:sqlite:file:" + folder.resolve("app.db") + "?immutable=1")
                .dataSource();

        assertThat(Sql.query(dataSource, "PRAGMA journal_mode")).isEqualTo("delete");
    }

    @Test
    void a_file_that_stays_locked_fails_after_the_timeout() throws SQLException {
        String url = "jdbc:sqlite:" + folder.resolve("locked.db");
        EngineSettings impatient =
                EngineSettings.builder().busyTimeout(Duration.ofMillis(50)).build();
        try (Connection holder = DriverManager.getConnection(url)) {
            Sql.execute(holder, "CREATE TABLE t(x)", "BEGIN EXCLUSIVE", "INSERT INTO t VALUES (1)");

            assertThatThrownBy(() -> cache.engine(url, impatient))
                    .isInstanceOf(EngineCreationException.class)
                    .hasMessageContaining("another process holds a lock on it");
        }
        assertThat(cache.engine(url, impatient).isClosed()).isFalse();
    }

    @Test
    void the_data_survives_the_close_of_the_engine() throws SQLException {
        String url = "jdbc:sqlite:" + folder.resolve("app.db");
        Sql.execute(cache.engine(url).dataSource(), "CREATE TABLE t(x)", "INSERT INTO t VALUES (7)");
        cache.evict(url);
        assertThat(Sql.query(cache.engine(url).dataSource(), "SELECT x FROM t")).isEqualTo("7");
    }

    @Test
    void calls_after_a_change_of_a_link_use_its_new_target() throws IOException {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path two = Files.createDirectory(folder.resolve("two"));
        for (String way : new String[] {"jdbc:sqlite:%s/app.db", "sqlite:///%s/app.db", "jdbc:sqlite:file:%s/app.db"}) {
            Path link = Files.createSymbolicLink(folder.resolve("link"), one);
            String text = String.format(way, link);
            DatabaseUrl before = DatabaseUrl.parse(text);
            Engine first = cache.engine(text);
            assertThat(cache.engine(text)).isSameAs(first);
            Files.delete(link);
            Files.createSymbolicLink(link, two);

            Engine second = cache.engine(text);

            assertThat(second.url().name()).isEqualTo(two.resolve("app.db").toString());
            assertThat(cache.engine(DatabaseUrl.parse(text))).isSameAs(second);
            assertThat(cache.engine(before)).isSameAs(first);
            assertThat(cache.evict(text)).isTrue();
            assertThat(second.isClosed()).isTrue();
            assertThat(first.isClosed()).isFalse();
            Files.delete(link);
        }
    }

    @Test
    void a_link_and_its_target_have_the_same_engine() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link.db"), folder.resolve("app.db"));
        assertThat(cache.engine("jdbc:sqlite:" + link)).isSameAs(cache.engine("jdbc:sqlite:" + folder + "/app.db"));
    }

    @Test
    void parameters_of_the_url_override_the_defaults() throws SQLException {
        DataSource dataSource = cache.engine(
                        "jdbc:sqlite:" + folder.resolve("app.db") + "?journal_mode=DELETE&foreign_keys=false")
                .dataSource();
        assertThat(Sql.query(dataSource, "PRAGMA journal_mode")).isEqualTo("delete");
        assertThat(Sql.query(dataSource, "PRAGMA foreign_keys")).isEqualTo("0");
    }

    @Test
    void a_file_can_be_opened_for_reading_only() throws SQLException {
        Path file = folder.resolve("app.db");
        String url = "jdbc:sqlite:" + file;
        Sql.execute(cache.engine(url).dataSource(), "CREATE TABLE t(x)");
        cache.evict(url);

        DataSource dataSource =
                cache.engine("jdbc:sqlite:file:" + file + "?mode=ro").dataSource();

        assertThat(Sql.query(dataSource, "SELECT count(*) FROM t")).isEqualTo("0");
        assertThatThrownBy(() -> Sql.execute(dataSource, "INSERT INTO t VALUES (1)"))
                .hasMessageContaining("readonly");
        assertThatThrownBy(() -> cache.engine("jdbc:sqlite:file:" + file + "?mode=rw"))
                .isInstanceOf(EngineSettingsException.class)
                .hasMessageContaining("the parameter mode is ro, not rw");
    }

    @Test
    void closing_an_engine_waits_for_no_statement_and_closes_all_connections() throws Exception {
        String url = "jdbc:sqlite:" + folder.resolve("app.db");
        DataSource dataSource = cache.engine(url).dataSource();
        SQLiteConnection idle = dataSource.getConnection().unwrap(SQLiteConnection.class);
        try (Race race = Race.withThreads(1)) {
            AtomicReference<SQLiteConnection> busy = new AtomicReference<>();
            Future<String> endless = race.start(() -> {
                Connection connection = dataSource.getConnection();
                busy.set(connection.unwrap(SQLiteConnection.class));
                return Sql.query(
                        connection,
                        "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x FROM n) SELECT count(*) FROM n");
            });
            await().until(() -> busy.get() != null && !endless.isDone());

            cache.evict(url);

            assertThat(race.outcome(endless).failure()).isInstanceOf(SQLException.class);
            await().untilAsserted(() -> {
                assertThat(idle.isClosed()).isTrue();
                assertThat(busy.get().isClosed()).isTrue();
            });
        }
    }

    @Test
    void aborting_a_closed_connection_has_no_effect() throws SQLException {
        Connection connection = new SqliteConnection(
                "jdbc:sqlite::memory:",
                ":memory:",
                new Properties(),
                new AccessQueue("jdbc:sqlite::memory:", true, 10),
                0,
                null);
        connection.abort(Runnable::run);
        connection.abort(Runnable::run);
        assertThat(connection.isClosed()).isTrue();
    }

    @Test
    void a_directory_is_rejected_as_a_database_file() {
        assertRejected(folder.toString(), "this is a directory; name a file in it");
        assertRejected("/", "this is a directory");
    }

    @Test
    void a_missing_directory_is_named_in_the_failure() {
        assertRejected(folder + "/none/app.db", "there is no directory " + folder + "/none; create it first");
    }

    @Test
    void a_file_in_place_of_a_directory_is_named_in_the_failure() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertRejected(file + "/app.db", file + " is a file and no directory");
        Files.delete(file);
    }

    @Test
    void a_read_only_directory_is_named_in_the_failure() throws IOException {
        // In /proc no user can create a file, not even the superuser, who may ignore all permissions.
        Path closed = Path.of("/proc");
        if (!Files.isDirectory(closed)) {
            closed = Files.createDirectory(folder.resolve("closed"));
            assertThat(closed.toFile().setWritable(false)).isTrue();
        }
        // For the superuser the check passes, and SQLite fails.
        String reason = Files.isWritable(closed)
                ? "CANTOPEN"
                : "this user may not create files in " + closed + "; grant write permission, or name another directory";
        assertRejected(closed + "/one-engine.db", reason);
        Files.deleteIfExists(folder.resolve("closed"));
    }

    @Test
    void a_file_that_is_not_a_database_is_rejected() throws IOException {
        Path file = Files.writeString(folder.resolve("letter.txt"), "Dear Sir or Madam, ".repeat(100));
        assertRejected(file.toString(), "the file is not an SQLite database");
        assertThat(file).hasContent("Dear Sir or Madam, ".repeat(100));
        Files.delete(file);
    }

    @Test
    void an_unknown_driver_parameter_is_rejected() {
        assertRejected(
                folder + "/app.db?foriegn_keys=on&busy_timeout=1",
                "unknown driver parameter foriegn_keys; remove it or fix the spelling");
    }

    private void assertRejected(String path, String reason) {
        assertThatThrownBy(() -> cache.engine("jdbc:sqlite:" + path))
                .isInstanceOf(EngineCreationException.class)
                .hasMessageContainingAll(
                        "Cannot create the engine for jdbc:sqlite:" + path.replaceAll("\\?.*", ""), reason);
        assertThat(cache).hasToString("EngineCache[]");
        Pools.awaitNoThreads();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .isSubsetOf(List.of("letter.txt", "file", "closed"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
