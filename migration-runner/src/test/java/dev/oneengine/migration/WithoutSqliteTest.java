package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineCreationException;
import dev.oneengine.testing.ChildJvm;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import dev.oneengine.work.UnitOfWork;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that users of PostgreSQL need no SQLite. */
@Tag("slow")
@Timeout(120)
class WithoutSqliteTest {
    @TempDir
    Path directory;

    /** Uses each part of the library, including its failures. */
    public static final class Application {
        private Application() {}

        public static void main(String[] arguments) throws Exception {
            try (EngineCache cache = EngineCache.create()) {
                MigrationRunner runner =
                        MigrationRunner.on(arguments[0]).cache(cache).locations(arguments[1]);
                require(runner.pending().size() == 2);
                require(runner.migrate().applied().size() == 2);
                require(runner.status().size() == 2);
                runner.validate();
                UnitOfWork work = UnitOfWork.builder(arguments[0])
                        .cache(cache)
                        .prepare(runner.preparation())
                        .build();
                work.run(tx -> Sql.execute(tx.connection(), "INSERT INTO one VALUES ('unit')"));
                try {
                    work.run(tx -> Sql.execute(tx.connection(), "INSERT INTO none VALUES ('unit')"));
                    throw new AssertionError("the insert into a missing table succeeded");
                } catch (SQLException e) {
                    require("42P01".equals(e.getSQLState()));
                }
                try (MigratedTemplate template = MigratedTemplate.of(runner);
                        Engine fork = template.fork()) {
                    require(Sql.query(fork.dataSource(), "SELECT count(*) FROM one")
                            .equals("1"));
                }
                try {
                    cache.engine("postgresql://nobody@localhost:1/none");
                    throw new AssertionError("an engine for a missing server was created");
                } catch (EngineCreationException e) {
                    require(e.getMessage().contains("the server does not answer"));
                }
                if (arguments[2].equals("missing")) {
                    try {
                        MigrationRunner.on("sqlite:///:memory:")
                                .cache(cache)
                                .locations(arguments[1])
                                .migrate();
                        throw new AssertionError("SQLite's driver is on the classpath");
                    } catch (EngineCreationException e) {
                        require(e.getMessage().contains("org.xerial:sqlite-jdbc"));
                    }
                }
            }
        }

        private static void require(boolean condition) {
            if (!condition) {
                throw new AssertionError("unexpected result");
            }
        }
    }

    @Test
    void postgresql_works_without_the_sqlite_driver_on_the_classpath() throws Exception {
        String all = System.getProperty("java.class.path");
        String without = Arrays.stream(all.split(File.pathSeparator))
                .filter(entry -> !entry.contains("sqlite-jdbc"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(without).isNotEqualTo(all);

        assertThat(run(without, "missing")).doesNotContain("org.sqlite.");
    }

    @Test
    void postgresql_loads_no_class_of_the_sqlite_driver() throws Exception {
        String output = run(System.getProperty("java.class.path"), "present");

        assertThat(output).contains("org.postgresql.Driver ");
        assertThat(output.lines().filter(line -> line.contains("org.sqlite."))).isEmpty();
    }

    /** Returns the log of the loaded classes. */
    private String run(String classPath, String driver) throws Exception {
        Path log = directory.resolve("log");
        String url = Database.POSTGRESQL.newUrl(directory);
        String location = Folder.withTwoScripts(directory).location();
        ChildJvm.of(Application.class, url, location, driver)
                .environment("CLASSPATH", classPath)
                .quick()
                .options(List.of("-Xlog:class+load:file=" + log))
                .run();
        return Files.readString(log);
    }
}
