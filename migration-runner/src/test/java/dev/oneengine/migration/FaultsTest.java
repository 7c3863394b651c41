package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.DatabaseUrl.Kind;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineException;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.FaultyFiles;
import dev.oneengine.testing.Proxies;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.TestSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Fails each call from a run to other code once: driver, pool, file system, listener, callback, Java migration,
 * configuration, log. The next run succeeds, each script is applied once, and no connection leaks.
 */
@Timeout(300)
class FaultsTest {
    private static final EngineSettings TWO_CONNECTIONS =
            EngineSettings.builder().poolSize(2).build();

    private static final LoggerContext LOGS = (LoggerContext) LoggerFactory.getILoggerFactory();

    @TempDir
    Path directory;

    private final Faults faults = new Faults();
    private final Set<Connection> open = java.util.Collections.synchronizedSet(
            java.util.Collections.newSetFromMap(new java.util.IdentityHashMap<>()));
    private Folder scripts;

    /** The way in which a call fails. */
    enum Fault {
        EXCEPTION,
        ERROR,
        INTERRUPT
    }

    /** Counts the calls of a run and makes one of them fail. Confined to its thread. */
    static final class Faults {
        final Map<String, Integer> calls = new TreeMap<>();
        private String failing = "";
        private int which;
        private Fault fault = Fault.EXCEPTION;
        private boolean on;

        void count() {
            failAt("", 0, Fault.EXCEPTION);
        }

        void failAt(String call, int number, Fault how) {
            calls.clear();
            failing = call;
            which = number;
            fault = how;
            on = true;
            FaultyFiles.observe(this::atFile);
        }

        void off() {
            on = false;
            FaultyFiles.ignore();
            Thread.interrupted();
        }

        void at(String call) throws SQLException {
            at(call, SQLException::new);
        }

        /** For callers that cannot throw checked exceptions. */
        void atUnchecked(String call) {
            at(call, IllegalStateException::new);
        }

        private void atFile(String call) throws IOException {
            at("file " + call, IOException::new);
        }

        private <X extends Exception> void at(String call, Function<String, X> exception) throws X {
            if (!on) {
                return;
            }
            int number = calls.merge(call, 1, Integer::sum);
            if (number == which && call.equals(failing)) {
                switch (fault) {
                    case EXCEPTION -> throw exception.apply("fault at " + call);
                    case ERROR -> throw new StackOverflowError("fault at " + call);
                    case INTERRUPT -> Thread.currentThread().interrupt();
                }
            }
        }
    }

    private final TurboFilter logging = new TurboFilter() {
        @Override
        public FilterReply decide(
                Marker marker,
                ch.qos.logback.classic.Logger logger,
                Level level,
                String format,
                Object[] parameters,
                Throwable failure) {
            if (logger.getName().startsWith("dev.oneengine.migration")) {
                faults.atUnchecked("log " + level);
            }
            return FilterReply.NEUTRAL;
        }
    };

    @BeforeEach
    void listen() throws IOException {
        scripts = Folder.withTwoScripts(directory)
                .script(
                        "V3__child.sql",
                        "CREATE TABLE parent(id INT PRIMARY KEY); CREATE TABLE child(p INT REFERENCES parent);")
                .script("afterMigrate.sql", "INSERT INTO two VALUES ('after');");
        FileTime tomorrow = FileTime.from(Instant.now().plus(Duration.ofDays(1)));
        try (Stream<Path> files = Files.list(scripts.path())) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, tomorrow); // the runner reads recent files again in each run
            }
        }
        LOGS.addTurboFilter(logging);
    }

    @AfterEach
    void stopListening() {
        LOGS.getTurboFilterList().remove(logging);
        faults.off();
    }

    /** Opens engines on a pool whose calls fail. The pool outlives the engines, because it is slow to create and close. */
    private EngineFactory faulty(DataSource pool) {
        DataSource faulty = proxy(DataSource.class, pool);
        return (url, settings) -> new TestSource(faulty, () -> {});
    }

    private static void empty(DataSource pool) throws SQLException {
        Sql.execute(
                pool,
                "DROP TABLE IF EXISTS child",
                "DROP TABLE IF EXISTS parent",
                "DROP TABLE IF EXISTS one",
                "DROP TABLE IF EXISTS two",
                "DROP TABLE IF EXISTS flyway_schema_history");
    }

    private <T> T proxy(Class<T> type, Object target) {
        return Proxies.of(type, (self, method, args) -> {
            String name = method.getName();
            if (type == DataSource.class && name.equals("isWrapperFor")) {
                return false; // looks like a pool of another kind
            }
            if (name.equals("close") && type == Connection.class) {
                open.remove(target); // a pool takes a connection back even if its close throws
            }
            if (!name.equals("unwrap") && !name.equals("isWrapperFor") && method.getDeclaringClass() != Object.class) {
                try {
                    faults.at(type.getSimpleName() + "." + name);
                } catch (SQLException | Error e) {
                    if (name.equals("close")) {
                        ((AutoCloseable) target).close();
                    }
                    throw e;
                }
            }
            Object result = method.invoke(target, args);
            if (result instanceof Connection connection && type == DataSource.class) {
                open.add(connection);
            }
            return result == null ? null : wrapped(method.getReturnType(), result);
        });
    }

    private Object wrapped(Class<?> type, Object result) {
        return Set.of(
                                Connection.class,
                                Statement.class,
                                PreparedStatement.class,
                                ResultSet.class,
                                DatabaseMetaData.class)
                        .contains(type)
                ? proxy(type, result)
                : result;
    }

    /** A Java migration. */
    public static final class V4__Java extends BaseJavaMigration {
        private final Faults faults;

        V4__Java(Faults faults) {
            this.faults = faults;
        }

        @Override
        public void migrate(Context context) throws Exception {
            Sql.execute(context.getConnection(), "INSERT INTO two VALUES ('V4')");
            faults.at("Java");
            Sql.execute(context.getConnection(), "INSERT INTO two VALUES ('V4')");
        }
    }

    private MigrationRunner runner(EngineCache cache, String url, boolean inOneTransaction) {
        return MigrationRunner.on(url)
                .cache(cache)
                .lockTimeout(Duration.ofSeconds(20))
                .locations(scripts.location())
                .listener(new MigrationListener() {
                    @Override
                    public void started(Migration migration, int position, int total) {
                        faults.atUnchecked("listener started");
                    }

                    @Override
                    public void finished(Migration migration, int position, int total, Duration duration) {
                        faults.atUnchecked("listener finished");
                    }
                })
                .configure(flyway -> {
                    faults.atUnchecked("configuration");
                    return flyway.group(inOneTransaction)
                            .javaMigrations(new V4__Java(faults))
                            .callbacks(new BaseCallback() {
                                @Override
                                public void handle(Event event, org.flywaydb.core.api.callback.Context context) {
                                    faults.atUnchecked("callback " + event.getId());
                                }
                            });
                });
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "MEMORY, true, EXCEPTION",
        "MEMORY, true, ERROR",
        "MEMORY, true, INTERRUPT",
        "MEMORY, false, EXCEPTION",
        "MEMORY, false, ERROR",
        "MEMORY, false, INTERRUPT",
        "FILE, true, EXCEPTION",
        "FILE, true, ERROR",
        "FILE, true, INTERRUPT",
        "FILE, false, EXCEPTION",
        "FILE, false, ERROR",
        "FILE, false, INTERRUPT",
        "POSTGRESQL, true, EXCEPTION",
        "POSTGRESQL, true, ERROR",
        "POSTGRESQL, true, INTERRUPT",
        "POSTGRESQL, false, EXCEPTION",
        "POSTGRESQL, false, ERROR",
        "POSTGRESQL, false, INTERRUPT"
    })
    void the_run_after_a_fault_succeeds_and_leaks_nothing(Database database, boolean inOneTransaction, Fault fault)
            throws Exception {
        String url = database.newUrl(directory);
        try (EngineSource source = EngineFactory.pooled().open(DatabaseUrl.parse(url), TWO_CONNECTIONS)) {
            DataSource pool = source.dataSource();
            Map<String, Integer> calls = calls(pool, url, inOneTransaction);
            String fingerprint = runner(EngineCache.create(), "sqlite://", inOneTransaction)
                    .step()
                    .name();
            // The last call of each kind fails, and also the first one if runs are short or may swallow the fault.
            boolean alsoFirst = database == Database.MEMORY || fault == Fault.EXCEPTION;
            for (String call : calls.keySet()) {
                int last = calls.get(call);
                for (int number : alsoFirst ? new TreeSet<>(List.of(1, last)) : Set.of(last)) {
                    empty(pool);
                    try (EngineCache cache = EngineCache.create(faulty(pool), TWO_CONNECTIONS)) {
                        MigrationRunner runner = runner(cache, url, inOneTransaction);
                        Engine engine = cache.engine(url);
                        faults.failAt(call, number, fault);
                        String outcome = outcome(runner);
                        faults.off();
                        String what = fault + " in " + call + " " + number + " of " + last + ": " + outcome;

                        assertThat(outcome).as(what).doesNotContain("Connection is not available");
                        assertThat(runner.step().name()).as(what).isEqualTo(fingerprint);
                        assertThat(open).as(what).isEmpty();
                        assertThat(FaultyFiles.left()).as(what).isEmpty();
                        assertThat(outcome(runner)).as(what).isEqualTo("done");
                        assertThat(open).as(what).isEmpty();
                        assertFree(engine, what);
                    }
                }
            }
        }
    }

    /** Returns the number of calls of each kind in a run without a fault. */
    private Map<String, Integer> calls(DataSource pool, String url, boolean inOneTransaction) throws SQLException {
        for (int i = 0; i < 2; i++) { // the first run also loads classes
            empty(pool);
            faults.count();
            try (EngineCache cache = EngineCache.create(faulty(pool), TWO_CONNECTIONS)) {
                runner(cache, url, inOneTransaction).migrate();
            }
        }
        Map<String, Integer> calls = Map.copyOf(faults.calls);
        faults.off();
        return calls;
    }

    @Test
    void a_fault_while_reading_never_makes_a_migrated_file_look_empty() throws Exception {
        faults.off();
        String url = Database.FILE.newUrl(directory);
        try (EngineCache cache = EngineCache.create()) {
            runner(cache, url, true).migrate();
        }
        MigrationRunner looking = runner(EngineCache.create(), url, true);
        faults.count();
        assertThat(looking.pending()).isEmpty();
        Map<String, Integer> calls = Map.copyOf(faults.calls);
        for (String call : calls.keySet()) {
            for (int number : new TreeSet<>(List.of(1, calls.get(call)))) {
                faults.failAt(call, number, Fault.EXCEPTION);
                try {
                    assertThat(looking.pending()).as(call + " " + number).isEmpty();
                } catch (EngineException | IllegalStateException e) {
                    assertThat(e).as(call + " " + number).hasMessageContaining("fault at");
                }
                assertThat(FaultyFiles.left()).isEmpty();
            }
        }
    }

    private static String outcome(MigrationRunner runner) {
        try {
            runner.migrate();
            return "done";
        } catch (Throwable t) {
            return String.valueOf(t);
        }
    }

    /** Checks that another thread can write with enforced foreign keys, and that each script was applied once. */
    private static void assertFree(Engine engine, String what) {
        try (Race race = Race.withThreads(1)) {
            assertThat(race.result(race.start(() -> {
                        Sql.execute(engine.dataSource(), "INSERT INTO two VALUES ('free')");
                        return Sql.query(
                                engine.dataSource(),
                                "SELECT 10 * (SELECT count(*) FROM one) + (SELECT count(*) FROM two WHERE name <> 'after')");
                    })))
                    .as(what)
                    .isEqualTo("14"); // one: V1; two: V2, twice V4, and the row inserted above
            if (engine.url().kind() != Kind.POSTGRESQL) {
                assertThat(race.result(race.start(() -> {
                            try (Connection first = engine.dataSource().getConnection();
                                    Connection second = engine.dataSource().getConnection()) {
                                return Sql.query(first, "PRAGMA foreign_keys")
                                        + Sql.query(second, "PRAGMA foreign_keys");
                            }
                        })))
                        .as(what)
                        .isEqualTo("11");
            }
        }
    }
}
