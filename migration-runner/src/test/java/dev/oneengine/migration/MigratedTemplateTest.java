package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineCreationException;
import dev.oneengine.cache.EngineException;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.Preparation;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.FaultyFiles;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import dev.oneengine.work.UnitOfWork;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MigratedTemplateTest {
    @TempDir
    Path directory;

    private Folder scripts;

    @AfterEach
    void ignoreFiles() {
        FaultyFiles.ignore();
    }

    @BeforeEach
    void write() throws IOException {
        scripts = Folder.withTwoScripts(directory);
    }

    private MigrationRunner on(String url) {
        return MigrationRunner.on(url).locations(scripts.location());
    }

    private static String count(Engine engine, String table) throws SQLException {
        return Sql.query(engine.dataSource(), "SELECT count(*) FROM " + table);
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void forks_are_migrated_and_independent(Database database) throws Exception {
        try (MigratedTemplate template = MigratedTemplate.of(on(database.url(directory)));
                Engine first = template.fork();
                Engine second = template.fork()) {
            Sql.execute(first.dataSource(), "INSERT INTO one VALUES ('mine')");

            assertThat(count(first, "one")).isEqualTo("2");
            assertThat(count(second, "one")).isEqualTo("1");
            try (Engine third = template.fork()) {
                assertThat(count(third, "one")).as("the template is unchanged").isEqualTo("1");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void all_connections_of_a_fork_see_the_same_database(Database database) throws Exception {
        try (MigratedTemplate template = MigratedTemplate.of(on(database.url(directory)));
                Engine fork = template.fork();
                Connection first = fork.dataSource().getConnection();
                Connection second = fork.dataSource().getConnection()) {
            Sql.execute(first, "INSERT INTO one VALUES ('mine')");

            assertThat(Sql.query(second, "SELECT count(*) FROM one")).isEqualTo("2");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_fork_is_an_engine_like_any_other(Database database) throws Exception {
        EngineSettings settings = EngineSettings.builder().poolSize(3).build();
        String url = database.url(directory);
        try (MigratedTemplate template = MigratedTemplate.of(on(url).settings(settings))) {
            Engine fork = template.fork();
            assertThat(fork.settings()).isEqualTo(settings);
            assertThat(fork.url().kind()).isEqualTo(DatabaseUrl.parse(url).kind());

            UnitOfWork.on(fork).run(tx -> Sql.execute(tx.connection(), "INSERT INTO one VALUES ('unit')"));
            assertThat(count(fork, "one")).isEqualTo("2");
            fork.close();

            assertThat(fork.isClosed()).isTrue();
            assertThat(template).hasToString("MigratedTemplate[" + DatabaseUrl.parse(url) + "]");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_fork_has_no_pending_migration(Database database) throws Exception {
        MigrationRunner runner = on(database.url(directory));
        try (MigratedTemplate template = MigratedTemplate.of(runner);
                Engine fork = template.fork()) {
            assertThat(fork.isPrepared(runner.preparation())).isTrue();
            assertThat(MigrationRunner.on(fork)
                            .locations(scripts.location())
                            .migrate()
                            .applied())
                    .hasSize(2);
            assertThat(MigrationRunner.on(fork).locations(scripts.location()).pending())
                    .isEmpty();
            assertThat(count(fork, "one")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void forks_contain_the_seed_data_of_the_template(Database database) throws Exception {
        try (MigratedTemplate template = MigratedTemplate.of(
                        on(database.url(directory)),
                        engine -> Sql.execute(engine.dataSource(), "INSERT INTO one VALUES ('seed')"));
                Engine fork = template.fork()) {
            assertThat(count(fork, "one")).isEqualTo("2");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void an_uncommitted_seed_is_an_error(Database database) throws Exception {
        String url = database.url(directory);
        List<Connection> open = new ArrayList<>();
        try {
            assertThatThrownBy(() -> MigratedTemplate.of(on(url), engine -> {
                        Connection connection = engine.dataSource().getConnection();
                        open.add(connection);
                        connection.setAutoCommit(false);
                        Sql.execute(connection, "INSERT INTO one VALUES ('seed')");
                    }))
                    .isInstanceOf(MigrationException.class)
                    .hasMessageContaining("1 of its connections are still open")
                    .hasMessageContaining("close them");
            assertThatThrownBy(() -> MigratedTemplate.of(on(url), Engine::close))
                    .isInstanceOf(MigrationException.class)
                    .hasMessageContaining("was closed");
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void the_engine_of_the_seed_is_unusable_after_the_template_is_created(Database database) throws Exception {
        List<Engine> kept = new ArrayList<>();
        try (MigratedTemplate template = MigratedTemplate.of(on(database.url(directory)), kept::add);
                Engine fork = template.fork()) {
            assertThatThrownBy(() -> Sql.execute(kept.get(0).dataSource(), "INSERT INTO one VALUES ('later')"))
                    .isInstanceOf(EngineException.class);
            assertThat(count(fork, "one")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_fork_racing_with_the_close_of_its_template_is_complete_or_fails(Database database) throws Exception {
        for (int round = 0; round < (database == Database.MEMORY ? 30 : 3); round++) {
            MigratedTemplate template = MigratedTemplate.of(on(database.url(directory)));
            List<String> outcomes = Race.run(4, index -> {
                if (index == 0) {
                    template.close();
                    return "1";
                }
                try (Engine fork = template.fork()) {
                    return count(fork, "one");
                } catch (EngineException e) {
                    return "rejected";
                }
            });
            assertThat(outcomes).isSubsetOf("1", "rejected");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void threads_can_create_forks_concurrently(Database database) throws Exception {
        try (MigratedTemplate template = MigratedTemplate.of(on(database.url(directory)))) {
            List<String> counts = Race.run(8, index -> {
                for (int i = 0; i < 5; i++) {
                    try (Engine fork = template.fork()) {
                        Sql.execute(fork.dataSource(), "INSERT INTO one VALUES ('" + index + "')");
                        if (!count(fork, "one").equals("2")) {
                            return count(fork, "one");
                        }
                    }
                }
                return "2";
            });

            assertThat(counts).containsOnly("2");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_template_does_not_change_the_database_of_its_url(Database database) throws Exception {
        String url = database.url(directory);
        try (EngineCache cache = EngineCache.create();
                MigratedTemplate template = MigratedTemplate.of(on(url).cache(cache));
                Engine fork = template.fork()) {
            assertThat(count(fork, "one")).isEqualTo("1");
            assertThat(cache.stats().created()).isZero();
            assertThat(on(url).cache(cache).pending()).hasSize(2);
        }
        assertThat(Files.exists(directory.resolve("test.db"))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_fork_fails_if_the_scripts_have_changed(Database database) throws Exception {
        try (MigratedTemplate template = MigratedTemplate.of(on(database.url(directory)))) {
            scripts.script("V3__new.sql", "CREATE TABLE three(name TEXT)");
            assertThatThrownBy(template::fork)
                    .isInstanceOf(MigrationException.class)
                    .hasMessageContaining("have changed since it was created; create a new template");

            scripts.remove("V3__new.sql");
            template.fork().close();
        }
    }

    @Test
    void a_change_of_equal_size_and_time_is_detected() throws Exception {
        Path script = scripts.path().resolve("V1__one.sql");
        FileTime time = Files.getLastModifiedTime(script);
        try (MigratedTemplate template = MigratedTemplate.of(on("sqlite:///:memory:"))) {
            template.fork().close();
            Files.writeString(script, Files.readString(script).replace("'V1'", "'W1'"));
            Files.setLastModifiedTime(script, time);

            assertThatThrownBy(template::fork).isInstanceOf(MigrationException.class);
        }
    }

    @Test
    void a_changed_callback_is_detected() throws Exception {
        scripts.script("afterMigrate.sql", "INSERT INTO one VALUES ('after')");
        try (MigratedTemplate template = MigratedTemplate.of(on("sqlite:///:memory:"))) {
            template.fork().close();
            scripts.script("afterMigrate.sql", "INSERT INTO one VALUES ('after'), ('it all')");

            assertThatThrownBy(template::fork).isInstanceOf(MigrationException.class);
        }
    }

    @Test
    void a_changed_configuration_of_a_script_is_detected() throws Exception {
        scripts.script("V2__two.sql.conf", "placeholderReplacement=true");
        try (MigratedTemplate template = MigratedTemplate.of(on("sqlite:///:memory:"))) {
            template.fork().close();
            scripts.script("V2__two.sql.conf", "placeholderReplacement=false");

            assertThatThrownBy(template::fork).isInstanceOf(MigrationException.class);
        }
    }

    @Test
    void a_changed_callback_at_another_location_is_detected() throws Exception {
        Folder callbacks = new Folder(Files.createDirectories(directory.resolve("callbacks")))
                .script("afterMigrate.SQL", "INSERT INTO one VALUES ('after')");
        MigrationRunner runner =
                on("sqlite:///:memory:").configure(flyway -> flyway.callbackLocations(callbacks.location()));
        try (MigratedTemplate template = MigratedTemplate.of(runner)) {
            template.fork().close();
            callbacks.script("afterMigrate.SQL", "INSERT INTO two VALUES ('after')");

            assertThatThrownBy(template::fork).isInstanceOf(MigrationException.class);
        }
    }

    @Test
    @Timeout(60)
    void a_pipe_among_the_scripts_is_ignored() throws Exception {
        assumeThat(File.separatorChar).as("a POSIX system").isEqualTo('/');
        int status = new ProcessBuilder(
                        "mkfifo", scripts.path().resolve("pipe.sql.conf").toString())
                .start()
                .waitFor();
        assertThat(status).isZero();
        try (MigratedTemplate template = MigratedTemplate.of(on("sqlite:///:memory:"))) {
            template.fork().close();
        }
    }

    @Test
    void a_copy_into_a_missing_directory_fails_with_a_remedy() throws Exception {
        try (MigratedTemplate template = MigratedTemplate.of(on(Database.FILE.url(directory)));
                EngineCache copies = EngineCache.create(template.factory(), EngineSettings.defaults())) {
            assertThatThrownBy(() -> copies.engine("jdbc:sqlite:" + directory.resolve("nowhere/copy.db")))
                    .hasMessageContaining("there is no such directory; create it first");
        }
    }

    /** Kubernetes updates a mounted configuration like this: it replaces a link to a folder by a link to another folder. */
    @Test
    void a_change_behind_a_link_is_detected() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), scripts.path());
        Path other = Files.createDirectories(directory.resolve("other"));
        Files.writeString(other.resolve("V1__one.sql"), "CREATE TABLE one(name TEXT);");
        for (Path script : List.of(scripts.path().resolve("V1__one.sql"), other.resolve("V1__one.sql"))) {
            Files.setLastModifiedTime(script, FileTime.from(java.time.Instant.parse("2001-01-01T00:00:00Z")));
        }
        MigrationRunner runner = MigrationRunner.on("sqlite:///:memory:").locations("filesystem:" + link);
        try (MigratedTemplate template = MigratedTemplate.of(runner)) {
            template.fork().close();
            Files.delete(link);
            Files.createSymbolicLink(link, other);

            assertThatThrownBy(template::fork).isInstanceOf(MigrationException.class);
        }
    }

    @Test
    void touched_scripts_count_as_unchanged() throws Exception {
        try (MigratedTemplate template = MigratedTemplate.of(on("sqlite:///:memory:"))) {
            for (String time : List.of("2001-01-01T00:00:00Z", "2002-02-02T00:00:00Z")) {
                Files.setLastModifiedTime(
                        scripts.path().resolve("V1__one.sql"), FileTime.from(java.time.Instant.parse(time)));
                template.fork().close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void forks_outlive_their_template(Database database) throws Exception {
        MigratedTemplate template = MigratedTemplate.of(on(database.url(directory)));
        try (Engine fork = template.fork()) {
            template.close();
            template.close();

            assertThat(count(fork, "one")).isEqualTo("1");
            assertThatThrownBy(template::fork)
                    .isInstanceOf(MigrationException.class)
                    .hasMessageContaining("closed; fork it before you close it");
            assertThat(template.toString()).endsWith(", closed]");
        }
    }

    @Test
    void closing_a_template_removes_all_files() throws Exception {
        FaultyFiles.observe(call -> {});
        MigratedTemplate template = MigratedTemplate.of(on("jdbc:sqlite:" + directory.resolve("like.db")));
        Engine fork = template.fork();
        Path file = Path.of(fork.url().name());
        assertThat(Files.exists(file)).isTrue();
        Sql.execute(fork.dataSource(), "INSERT INTO one VALUES ('mine')");

        fork.close();
        assertThat(Files.exists(file)).isFalse();
        Engine last = template.fork();
        template.close();
        last.close();

        assertThat(FaultyFiles.left()).isEmpty();
    }

    @Test
    void closing_a_template_drops_all_its_databases_on_the_server() throws Exception {
        String url = Database.POSTGRESQL.url(directory);
        try (EngineCache cache = EngineCache.create()) {
            String sql = "SELECT count(*) FROM pg_database WHERE datname LIKE 'one_engine%'";
            MigratedTemplate template = MigratedTemplate.of(on(url));
            Engine fork = template.fork();
            assertThat(Sql.query(cache.engine(url).dataSource(), sql)).isEqualTo("2");

            fork.close();
            template.close();

            assertThat(Sql.query(cache.engine(url).dataSource(), sql)).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_failed_template_leaves_no_file_and_no_database(Database database) throws Exception {
        String url = database.url(directory);
        FaultyFiles.observe(call -> {});

        assertThatThrownBy(() -> MigratedTemplate.of(on(url), engine -> {
                    throw new InterruptedException("seed failed");
                }))
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("Cannot add data to the template of")
                .hasMessageContaining("seed failed");
        assertThat(Thread.interrupted()).as("the interrupt is preserved").isTrue();
        scripts.script("V3__bad.sql", "INSERT INTO nowhere VALUES (1)");
        assertThatThrownBy(() -> MigratedTemplate.of(on(url))).isInstanceOf(MigrationScriptException.class);

        assertThat(FaultyFiles.left()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_cache_with_the_factory_of_a_template_creates_forks(Database database) throws Exception {
        String url = database.url(directory);
        try (MigratedTemplate template = MigratedTemplate.of(on(url));
                EngineCache cache = EngineCache.create(template.factory(), EngineSettings.defaults())) {
            String first = name(database, 1);
            Engine engine = cache.engine(first);
            Sql.execute(engine.dataSource(), "INSERT INTO one VALUES ('mine')");

            assertThat(cache.engine(first)).isSameAs(engine);
            assertThat(count(cache.engine(name(database, 2)), "one")).isEqualTo("1");
            assertThat(on(first).cache(cache).migrate().applied()).isEmpty();
        }
        if (database == Database.FILE) {
            assertThat(Files.exists(directory.resolve("named1.db")))
                    .as("the file has the name that the user chose")
                    .isTrue();
        }
    }

    /** SQLite would copy a closed in-memory database as an empty one. */
    @Test
    void a_copy_racing_with_the_close_of_its_template_fails() throws Exception {
        MemoryTemplate template =
                new MemoryTemplate(DatabaseUrl.parse("sqlite:///:memory:"), EngineSettings.defaults());
        Sql.execute(template.engine().dataSource(), "CREATE TABLE one(name TEXT)");
        template.finish();
        template.close();
        assertThatThrownBy(() -> template.fork(template.nextFork(), EngineSettings.defaults(), true))
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("it is closed");
    }

    @Test
    void the_factory_of_a_template_fails_after_its_close_or_a_script_change() throws Exception {
        MigratedTemplate template = MigratedTemplate.of(on("sqlite:///:memory:"));
        try (EngineCache cache = EngineCache.create(template.factory(), EngineSettings.defaults())) {
            String url = name(Database.MEMORY, 1);
            scripts.script("V3__new.sql", "CREATE TABLE three(name TEXT)");
            assertThatThrownBy(() -> cache.engine(url))
                    .hasStackTraceContaining("have changed since it was created; create a new template");
            scripts.remove("V3__new.sql");
            template.close();
            assertThatThrownBy(() -> cache.engine(url)).hasStackTraceContaining("it is closed; fork it before");
        }
    }

    private String name(Database database, int number) throws SQLException {
        return switch (database) {
            case MEMORY -> "jdbc:sqlite:file:named" + number + "?mode=memory";
            case FILE -> "jdbc:sqlite:" + directory.resolve("named" + number + ".db");
            case POSTGRESQL -> {
                String url = database.url(directory);
                String name = "named" + number;
                try (EngineCache cache = EngineCache.create()) {
                    Sql.execute(cache.engine(url).dataSource(), "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
                }
                yield url.substring(0, url.lastIndexOf('/') + 1) + name;
            }
        };
    }

    @Test
    void a_fork_never_replaces_an_existing_database() throws Exception {
        Path mine = Files.writeString(directory.resolve("mine.db"), "precious");
        try (MigratedTemplate template = MigratedTemplate.of(on("jdbc:sqlite:" + directory.resolve("like.db")));
                EngineCache cache = EngineCache.create(template.factory(), EngineSettings.defaults())) {
            assertThatThrownBy(() -> cache.engine("jdbc:sqlite:" + mine))
                    .isInstanceOf(EngineCreationException.class)
                    .hasMessageContaining("Cannot copy the template to " + mine);
            assertThatThrownBy(() -> cache.engine("sqlite:///:memory:"))
                    .isInstanceOf(EngineCreationException.class)
                    .hasMessageContaining("Cannot copy a template of kind SQLITE_FILE to jdbc:sqlite::memory:");
        }
        assertThat(mine).hasContent("precious");
    }

    /** SQLite replays a leftover log into any database file of the same name. */
    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm", "-journal"})
    void a_copy_fails_if_the_log_of_an_earlier_database_exists(String part) throws Exception {
        Path wanted = directory.resolve("wanted.db");
        Path foreign = Files.writeString(directory.resolve("wanted.db" + part), "precious");
        try (MigratedTemplate template = MigratedTemplate.of(on("jdbc:sqlite:" + directory.resolve("like.db")));
                EngineCache cache = EngineCache.create(template.factory(), EngineSettings.defaults())) {
            assertThatThrownBy(() -> cache.engine("jdbc:sqlite:" + wanted))
                    .isInstanceOf(EngineCreationException.class)
                    .hasMessageContaining(foreign + " is part of an earlier database of that name; remove it");
            assertThat(Files.exists(wanted)).isFalse();
            assertThat(foreign).hasContent("precious");

            Files.delete(foreign);
            assertThat(count(cache.engine("jdbc:sqlite:" + wanted), "one")).isEqualTo("1");
        }
    }

    /** Another process may hold the lock. */
    @Test
    void a_failed_copy_does_not_delete_the_lock_file() throws Exception {
        Path strange = directory.resolve("strange.db");
        Path lock = Files.createFile(MigrationFileLock.fileOf(strange));
        try (MigratedTemplate template = MigratedTemplate.of(on("jdbc:sqlite:" + directory.resolve("like.db")));
                EngineCache cache = EngineCache.create(template.factory(), EngineSettings.defaults())) {
            assertThatThrownBy(() -> cache.engine("jdbc:sqlite:" + strange + "?no_such_parameter=1"))
                    .hasMessageContaining("no_such_parameter");
        }
        assertThat(lock).exists();
        assertThat(strange).doesNotExist();
    }

    /** The template is checked before the target. */
    @Test
    void a_failed_copy_of_a_missing_template_deletes_nothing() throws Exception {
        Path mine = Files.writeString(directory.resolve("mine.db"), "precious");
        List<Path> files = new ArrayList<>();
        try (MigratedTemplate template = MigratedTemplate.of(
                        on("jdbc:sqlite:" + directory.resolve("like.db")),
                        engine -> files.add(Path.of(engine.url().name())));
                EngineCache cache = EngineCache.create(template.factory(), EngineSettings.defaults())) {
            Files.delete(files.get(0));

            assertThatThrownBy(() -> cache.engine("jdbc:sqlite:" + mine)).isInstanceOf(EngineCreationException.class);
        }
        assertThat(mine).hasContent("precious");
    }

    @Test
    void a_copy_of_a_template_with_open_readers_is_complete_or_fails() throws Exception {
        // The template waits for readers before it is copied.
        EngineSettings hurried =
                EngineSettings.builder().busyTimeout(Duration.ofMillis(50)).build();
        MigrationRunner runner =
                on("jdbc:sqlite:" + directory.resolve("like.db")).settings(hurried);
        List<Connection> others = new ArrayList<>();
        try {
            for (boolean reading : List.of(true, false)) {
                Preparation.Action seed = engine -> {
                    Connection other = DriverManager.getConnection(
                            "jdbc:sqlite:" + engine.url().name());
                    others.add(other);
                    other.setAutoCommit(!reading);
                    assertThat(Sql.query(other, "SELECT count(*) FROM one")).isEqualTo("1");
                    Sql.execute(engine.dataSource(), "INSERT INTO one VALUES ('seed')");
                };
                if (reading) {
                    assertThatThrownBy(() -> MigratedTemplate.of(runner, seed))
                            .isInstanceOf(MigrationException.class)
                            .hasMessageContaining("another connection has left data in ")
                            .hasMessageEndingWith(
                                    "-wal instead of the database file; close all connections to the " + "template");
                } else {
                    try (MigratedTemplate template = MigratedTemplate.of(runner, seed)) {
                        try (Engine fork = template.fork()) {
                            assertThat(count(fork, "one")).isEqualTo("2");
                        }
                        Sql.execute(others.get(1), "INSERT INTO one VALUES ('later')");
                        assertThatThrownBy(template::fork)
                                .hasRootCauseInstanceOf(MigrationException.class)
                                .hasMessageContaining("another connection has left data in ");
                    }
                }
            }
        } finally {
            for (Connection other : others) {
                other.close();
            }
        }
    }

    /** In this mode, SQLite keeps the journal file and marks it as empty. */
    @Test
    void a_template_with_a_persistent_journal_is_copied() throws Exception {
        try (MigratedTemplate template = MigratedTemplate.of(
                        on("jdbc:sqlite:" + directory.resolve("like.db") + "?journal_mode=PERSIST"));
                Engine fork = template.fork()) {
            assertThat(count(fork, "one")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_template_whose_engine_cannot_be_created_leaves_nothing(Database database) throws Exception {
        String databases = "SELECT count(*) FROM pg_database";
        String server = Database.POSTGRESQL.url(directory);
        FaultyFiles.observe(call -> {});
        try (EngineCache cache = EngineCache.create()) {
            String count = Sql.query(cache.engine(server).dataSource(), databases);

            assertThatThrownBy(() -> MigratedTemplate.of(on(database.url(directory) + "?no_such_parameter=1")))
                    .isInstanceOf(EngineCreationException.class)
                    .hasMessageContaining("no_such_parameter");

            assertThat(Sql.query(cache.engine(server).dataSource(), databases)).isEqualTo(count);
        }
        assertThat(FaultyFiles.left()).isEmpty();
    }

    /** The second cache must not delete the file of the first, not even during its cleanup. */
    @Test
    void racing_caches_create_one_copy_of_a_file() throws Exception {
        try (MigratedTemplate template = MigratedTemplate.of(on("jdbc:sqlite:" + directory.resolve("like.db")))) {
            for (int round = 0; round < 30; round++) {
                Path file = directory.resolve("wanted" + round + ".db");

                List<String> outcomes = Race.run(4, index -> {
                    try (EngineCache cache = EngineCache.create(template.factory(), EngineSettings.defaults())) {
                        return count(cache.engine("jdbc:sqlite:" + file), "one");
                    } catch (EngineCreationException e) {
                        return "rejected";
                    }
                });

                assertThat(outcomes).containsOnlyOnce("1").containsOnly("1", "rejected");
                assertThat(Files.exists(file)).isTrue();
            }
        }
    }

    @Test
    void a_failed_removal_names_the_template() throws Exception {
        String url = "jdbc:sqlite:" + directory.resolve("like.db");
        MigratedTemplate template = MigratedTemplate.of(on(url));
        Engine fork = template.fork();
        Path obstacle = inTheWayOf(fork);

        assertThatThrownBy(fork::close)
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("Cannot remove the database");
        assertThatThrownBy(() -> MigratedTemplate.of(on(url), engine -> {
                    inTheWayOf(engine);
                    throw new SQLException("seed failed");
                }))
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("seed failed")
                .satisfies(failure -> assertThat(failure.getSuppressed()[0])
                        .isInstanceOf(EngineException.class)
                        .hasMessageContaining("Cannot remove the template"));
        Files.delete(obstacle);
        Files.delete(obstacle.getParent());
        template.close();
    }

    /** Creates a non-empty folder in the place of a file, so that deleting the file fails. */
    private static Path inTheWayOf(Engine engine) throws IOException {
        return Files.createFile(
                Files.createDirectory(Path.of(engine.url().name() + "-journal")).resolve("obstacle"));
    }

    @Test
    void a_failed_copy_leaves_nothing() throws Exception {
        Path nowhere = directory.resolve("no").resolve("such.db");
        try (MigratedTemplate template = MigratedTemplate.of(on("jdbc:sqlite:" + directory.resolve("like.db")));
                EngineCache cache = EngineCache.create(template.factory(), EngineSettings.defaults())) {
            assertThatThrownBy(() -> cache.engine("jdbc:sqlite:" + nowhere))
                    .isInstanceOf(EngineCreationException.class);
            Path strange = directory.resolve("strange.db");
            assertThatThrownBy(() -> cache.engine("jdbc:sqlite:" + strange + "?no_such_parameter=1"))
                    .isInstanceOf(EngineCreationException.class)
                    .hasMessageContaining("no_such_parameter");
            assertThat(Files.exists(strange)).isFalse();
        }
        try (MigratedTemplate template = MigratedTemplate.of(on("sqlite:///:memory:"));
                EngineCache cache = EngineCache.create(template.factory(), EngineSettings.defaults())) {
            assertThatThrownBy(() -> cache.engine("jdbc:sqlite::memory:?no_such_parameter=1"))
                    .isInstanceOf(EngineCreationException.class)
                    .hasMessageContaining("no_such_parameter");
        }
    }

    @Test
    void a_fork_on_another_server_fails() throws Exception {
        String url = Database.POSTGRESQL.url(directory);
        try (MigratedTemplate template = MigratedTemplate.of(on(url));
                EngineCache cache = EngineCache.create(template.factory(), EngineSettings.defaults())) {
            assertThatThrownBy(() -> cache.engine("postgresql://postgres@elsewhere/named"))
                    .isInstanceOf(EngineCreationException.class)
                    .hasMessageContaining("name a database on that server");
            String strange = url.replaceFirst("/postgres$", "/strange") + "?no_such_parameter=1";
            assertThatThrownBy(() -> cache.engine(strange)).isInstanceOf(EngineCreationException.class);
            try (EngineCache plain = EngineCache.create()) {
                assertThat(Sql.query(
                                plain.engine(url).dataSource(),
                                "SELECT count(*) FROM pg_database WHERE datname = 'strange'"))
                        .isEqualTo("0");
            }
            assertThatThrownBy(() -> MigratedTemplate.of(on(url.replaceFirst("/postgres$", "/no_such_database"))))
                    .isInstanceOf(EngineException.class)
                    .hasMessageContaining("the database of the URL must exist");
        }
    }

    @Test
    void forks_have_the_url_parameters_of_the_template() throws Exception {
        String file = "jdbc:sqlite:" + directory.resolve("a b.db") + "?busy_timeout=1234&journal_mode=DELETE";
        String server = Database.POSTGRESQL.url(directory) + "?ApplicationName=two%20words%20%26%20more";
        List<String> seen = new ArrayList<>();
        for (String url : List.of(file, "jdbc:sqlite::memory:?busy_timeout=1234")) {
            try (MigratedTemplate template = MigratedTemplate.of(on(url));
                    Engine fork = template.fork()) {
                seen.add(Sql.query(fork.dataSource(), "PRAGMA busy_timeout"));
            }
        }
        try (MigratedTemplate template = MigratedTemplate.of(on(server));
                Engine fork = template.fork()) {
            seen.add(Sql.query(fork.dataSource(), "SHOW application_name"));
        }

        assertThat(seen).containsExactly("1234", "1234", "two words & more");
    }

    @Test
    void a_template_has_the_settings_of_a_given_engine() throws Exception {
        try (EngineCache cache = EngineCache.create()) {
            Engine engine = cache.engine(
                    "sqlite:///:memory:", EngineSettings.builder().poolSize(2).build());
            try (MigratedTemplate template =
                            MigratedTemplate.of(MigrationRunner.on(engine).locations(scripts.location()));
                    Engine fork = template.fork()) {
                assertThat(fork.settings().poolSize()).isEqualTo(2);
                assertThat(MigrationRunner.on(engine)
                                .locations(scripts.location())
                                .pending())
                        .hasSize(2);
            }
        }
    }

    @Test
    void a_missing_database_on_the_server_fails_the_template() throws Exception {
        String url = Database.POSTGRESQL.newUrl(directory);
        MigrationRunner runner = MigrationRunner.on(url)
                .locations(Folder.withTwoScripts(directory).location());
        String home = url.substring(url.lastIndexOf('/') + 1);

        EngineException failure = catchThrowableOfType(
                EngineException.class,
                () -> MigratedTemplate.of(runner, engine -> Sql.execute(engine.dataSource(), "DROP DATABASE " + home)));

        assertThat(failure).hasMessageContaining("Cannot close the connections to the template");
        assertThat(failure.getSuppressed())
                .singleElement()
                .extracting(Throwable::getMessage)
                .asString()
                .contains("Cannot drop the template");
        String left = failure.getMessage().replaceFirst(".*(one_engine_template_\\w+).*", "$1");
        try (EngineCache cache = EngineCache.create()) {
            Sql.execute(
                    cache.engine(Database.POSTGRESQL.newUrl(directory)).dataSource(),
                    "DROP DATABASE " + left + " WITH (FORCE)");
        }
    }
}
