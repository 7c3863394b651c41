package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import com.zaxxer.hikari.metrics.MetricsTrackerFactory;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.FaultyFiles;
import dev.oneengine.testing.Proxies;
import dev.oneengine.testing.Sql;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.sqlite.JDBC;

/** Each call to other code fails once. Afterwards the next call works, and nothing is left open. */
@Timeout(value = 180, threadMode = ThreadMode.SEPARATE_THREAD)
class FaultsTest {
    @TempDir
    Path directory;

    private final Faults faults = new Faults();

    @AfterEach
    void nothing_is_open() throws IOException, MalformedObjectNameException {
        FaultyFiles.ignore();
        assertThat(FaultyFiles.left()).isEmpty();
        Pools.awaitNoThreads();
        assertThat(PoolHousekeeper.SHARED.getQueue()).isEmpty();
        assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("com.zaxxer.hikari:*"), null))
                .isEmpty();
        try (Stream<Path> files = Files.list(directory)) {
            // SQLite deletes these files with the last connection.
            assertThat(files.map(Path::toString)).noneMatch(file -> file.endsWith("-wal") || file.endsWith("-shm"));
        }
    }

    /** How a call fails. */
    enum Kind {
        EXCEPTION,
        ERROR,
        INTERRUPT;

        void fail() {
            switch (this) {
                case EXCEPTION -> throw FaultsTest.<RuntimeException>sneaky(new IOException("fault"));
                case ERROR -> throw new StackOverflowError("fault");
                case INTERRUPT -> Thread.currentThread().interrupt();
            }
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T sneaky(Throwable throwable) throws T {
        throw (T) throwable;
    }

    /** Counts the calls of other code in the test's thread, and makes one of them fail. */
    private static final class Faults extends TurboFilter {
        private Thread thread = Thread.currentThread();
        private final List<String> calls = new ArrayList<>();
        private Kind kind = Kind.EXCEPTION;
        private int failing;

        void start(Kind how, int which) {
            calls.clear();
            thread = Thread.currentThread();
            kind = how;
            failing = which;
        }

        void call(String place) {
            if (Thread.currentThread() == thread) {
                calls.add(place);
                if (calls.size() == failing) {
                    kind.fail();
                }
            }
        }

        boolean hasFailed() {
            return calls.size() >= failing;
        }

        @Override
        public FilterReply decide(
                Marker marker, Logger logger, Level level, String format, Object[] params, Throwable t) {
            if (logger.getName().startsWith("dev.oneengine") || logger.getName().startsWith("com.zaxxer")) {
                call(logger.getName() + " " + level + " " + format);
            }
            return FilterReply.NEUTRAL;
        }
    }

    private EngineSource faulty(DatabaseUrl url, EngineSettings settings) throws Exception {
        faults.call("factory before");
        EngineSource source = EngineFactory.pooled().open(url, settings);
        try {
            faults.call("factory after");
        } catch (Throwable e) {
            source.close();
            throw e;
        }
        return new EngineSource() {
            @Override
            public DataSource dataSource() {
                faults.call("dataSource");
                return source.dataSource();
            }

            @Override
            public void close() throws SQLException {
                try {
                    faults.call("close before");
                } finally {
                    source.close();
                }
                faults.call("close after");
            }
        };
    }

    private MetricsTrackerFactory metrics() {
        return (poolName, stats) -> {
            faults.call("metrics create");
            return new IMetricsTracker() {
                @Override
                public void recordConnectionAcquiredNanos(long nanos) {
                    faults.call("metrics acquired");
                }

                @Override
                public void recordConnectionUsageMillis(long millis) {
                    faults.call("metrics usage");
                }

                @Override
                public void recordConnectionCreatedMillis(long millis) {
                    faults.call("metrics created");
                }

                @Override
                public void close() {
                    faults.call("metrics close");
                }
            };
        };
    }

    private final class Step implements Preparation<String> {
        @Override
        public String name() {
            faults.call("step name");
            return "schema";
        }

        @Override
        public String prepare(Engine engine) throws Exception {
            faults.call("step before");
            Sql.execute(engine.dataSource(), "CREATE TABLE IF NOT EXISTS t(x INT)");
            faults.call("step after");
            return "done";
        }
    }

    static Stream<Arguments> kindsOnDatabases() {
        return Stream.of(Kind.values())
                .flatMap(kind -> Stream.of(Database.values()).map(database -> Arguments.of(kind, database)));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("kindsOnDatabases")
    void a_fault_in_any_call_leaks_nothing_and_the_next_call_works(Kind kind, Database database)
            throws IOException, SQLException {
        EngineSettings settings = EngineSettings.builder()
                .poolSize(2)
                .jmx(database == Database.FILE)
                .metrics(metrics())
                .build();
        String url = database.url(directory);
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.addTurboFilter(faults);
        FaultyFiles.observe(faults::call);
        int which = 0;
        try {
            do {
                which++;
                Files.deleteIfExists(directory.resolve("test.db"));
                faults.start(kind, which);
                EngineCache cache = EngineCache.create(this::faulty, settings);
                try {
                    use(cache, url);
                    cache.evict(url);
                    use(cache, url);
                    cache.close();
                } catch (Throwable e) {
                    assertThat(faults.hasFailed()).as("%s", e).isTrue();
                }
                boolean failed = faults.hasFailed();
                faults.start(kind, Integer.MAX_VALUE);
                Thread.interrupted();
                assertThatTheNextCallWorks(cache, url);
                if (!failed) {
                    break;
                }
            } while (which < 1000);
        } finally {
            context.getTurboFilterList().remove(faults);
        }
        assertThat(which).isBetween(30, 999);
    }

    private void use(EngineCache cache, String url) throws SQLException {
        Engine engine = cache.engine(url);
        engine.prepare(new Step());
        assertThat(engine.isPrepared(new Step())).isTrue();
        Sql.query(engine.dataSource(), "SELECT count(*) FROM t");
    }

    private void assertThatTheNextCallWorks(EngineCache cache, String url) throws SQLException {
        try {
            use(cache, url);
            assertThat(cache.evict(url)).isTrue();
        } catch (EngineClosedException e) {
            assertThat(cache.toString()).endsWith("(closed)");
        }
        cache.close();
        assertThat(cache).hasToString("EngineCache[] (closed)");
    }

    /** If a link were not resolved, the same file would get a second engine. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void a_failing_file_system_leaves_no_file_and_no_second_engine(Kind kind) throws IOException {
        Path file = directory.resolve("app.db");
        Path link = Files.createSymbolicLink(directory.resolve("link.db"), Path.of("app.db"));
        FaultyFiles.observe(faults::call);
        int which = 0;
        boolean failed = true;
        for (; failed; which++) {
            try (EngineCache cache = EngineCache.create()) {
                faults.start(kind, which + 1);
                try {
                    cache.engine("jdbc:sqlite:" + link);
                } catch (Throwable e) {
                    assertThat(faults.hasFailed()).as("%s", e).isTrue();
                    assertThat(file).doesNotExist();
                }
                failed = faults.hasFailed();
                String what = kind + " in " + faults.calls;
                faults.start(kind, Integer.MAX_VALUE);
                Thread.interrupted();
                assertThat(cache.engine("jdbc:sqlite:" + link)).as(what).isSameAs(cache.engine("jdbc:sqlite:" + file));
                assertThat(FaultyFiles.left()).as(what).isEmpty();
            }
            Files.delete(file);
        }
        assertThat(which).isBetween(8, 99);
    }

    /** A pool stops halfway if its thread is interrupted while it closes. */
    @ParameterizedTest
    @EnumSource(Database.class)
    void an_interrupted_thread_closes_everything_and_stays_interrupted(Database database) throws SQLException {
        EngineSettings settings = EngineSettings.builder().jmx(true).build();
        EngineCache cache = EngineCache.create(EngineFactory.pooled(), settings);
        Sql.query(cache.engine(database.url(directory)).dataSource(), "SELECT 1");
        Thread.currentThread().interrupt();
        cache.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(cache).hasToString("EngineCache[] (closed)");
    }

    /** Otherwise a new, empty file would stay for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"?encoding=banana", "?auto_vacuum=banana&encoding=UTF-7"})
    void a_wrong_parameter_leaves_no_file(String parameter) throws IOException {
        try (EngineCache cache = EngineCache.create()) {
            Path file = directory.resolve("new.db");
            assertThatThrownBy(() -> cache.engine("jdbc:sqlite:" + file + parameter))
                    .isInstanceOf(EngineException.class);
            assertThat(directory).isEmptyDirectory();
            assertThat(cache.engine("jdbc:sqlite:" + file).isClosed()).isFalse();
            assertThat(file).exists();
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void metrics_that_cannot_be_created_leak_no_connection(Database database) throws SQLException {
        List<Supplier<IMetricsTracker>> wrong = List.of(
                () -> {
                    throw new IllegalStateException("no registry");
                },
                () -> {
                    throw new NoClassDefFoundError("no/registry");
                },
                () -> null);
        String url = database.url(directory);
        try (EngineCache cache = EngineCache.create()) {
            for (Supplier<IMetricsTracker> metrics : wrong) {
                EngineSettings settings = EngineSettings.builder()
                        .metrics((name, stats) -> metrics.get())
                        .build();
                assertThatThrownBy(() -> cache.engine(url, settings))
                        .isInstanceOf(EngineCreationException.class)
                        .hasMessageMatching(".*(no.registry|MetricsTrackerFactory returned null).*");
                assertThat(directory).isEmptyDirectory();
            }
            if (database == Database.POSTGRESQL) {
                await().untilAsserted(() -> assertThat(Sql.query(
                                cache.engine(url).dataSource(),
                                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'PostgreSQL JDBC Driver'"
                                        + " AND pid <> pg_backend_pid() AND state = 'idle' AND query = ''"))
                        .isEqualTo("0"));
            }
        }
    }

    /** A pool would lose a connection with each measurement that fails. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void failing_metrics_lose_no_connection(Kind kind) throws SQLException {
        EngineSettings settings = EngineSettings.builder()
                .poolSize(1)
                .connectionTimeout(Duration.ofMillis(250))
                .metrics((name, stats) -> new IMetricsTracker() {
                    @Override
                    public void recordConnectionAcquiredNanos(long nanos) {
                        kind.fail();
                    }

                    @Override
                    public void recordConnectionUsageMillis(long millis) {
                        kind.fail();
                    }

                    @Override
                    public void recordConnectionCreatedMillis(long millis) {
                        kind.fail();
                    }

                    @Override
                    public void recordConnectionTimeout() {
                        kind.fail();
                    }
                })
                .build();
        try (EngineCache cache = EngineCache.create()) {
            DataSource dataSource = cache.engine("sqlite:///:memory:", settings).dataSource();
            for (int i = 0; i < 5; i++) {
                Thread.interrupted();
                assertThat(Sql.query(dataSource, "SELECT 42")).isEqualTo("42");
            }
            Thread.interrupted();
        }
    }

    @Test
    void a_source_is_closed_if_no_engine_can_be_created_from_it() {
        List<String> closed = new ArrayList<>();
        for (Supplier<DataSource> wrong : List.<Supplier<DataSource>>of(
                () -> null,
                () -> {
                    throw new IllegalStateException("no data source");
                },
                () -> {
                    throw new UnsatisfiedLinkError("no data source");
                })) {
            EngineCache cache = EngineCache.create(
                    (url, settings) -> new EngineSource() {
                        @Override
                        public DataSource dataSource() {
                            return wrong.get();
                        }

                        @Override
                        public void close() throws SQLException {
                            closed.add("closed");
                            throw new SQLException("cannot close either");
                        }
                    },
                    EngineSettings.defaults());
            assertThatThrownBy(() -> cache.engine("sqlite://"))
                    .isInstanceOf(EngineCreationException.class)
                    .cause()
                    .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        }
        assertThat(closed).hasSize(3);
    }

    /** Connections of a driver that fails. */
    private static final class Driver {
        private final List<Connection> made = new ArrayList<>();
        private final List<String> failing = new ArrayList<>();
        private Kind kind = Kind.EXCEPTION;
        private final DriverDataSource source = new DriverDataSource(
                (url, properties) -> {
                    Connection real = JDBC.createConnection(url, properties);
                    made.add(real);
                    return Proxies.of(Connection.class, (proxy, method, args) -> {
                        if (failing.remove(method.getName() + made.indexOf(real))) {
                            kind.fail();
                        }
                        return switch (method.getName()) {
                            case "hashCode" -> System.identityHashCode(proxy);
                            case "abort" -> {
                                real.close(); // SQLite's driver does not close a connection in abort()
                                yield null;
                            }
                            case "equals" -> proxy == args[0];
                            default -> method.invoke(real, args);
                        };
                    });
                },
                "jdbc:sqlite::memory:",
                new Properties(),
                null);

        void assertAllClosed() throws SQLException {
            for (Connection connection : made) {
                assertThat(connection.isClosed()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void connections_of_a_failing_driver_are_all_closed(Kind kind) throws SQLException {
        Driver driver = new Driver();
        driver.kind = kind;
        driver.failing.addAll(List.of("isClosed0", "abort2", "abort3"));
        for (int i = 0; i < 5; i++) {
            try {
                driver.source.getConnection();
            } catch (StackOverflowError e) {
                assertThat(driver.made.get(i).isClosed())
                        .isTrue(); // the failing call was isClosed() on another connection
            }
        }
        int closings = 0;
        try {
            driver.source.close();
        } catch (Throwable e) {
            closings++;
            assertThat(e.getSuppressed()).hasSize(1);
        }
        assertThat(closings).isEqualTo(kind == Kind.INTERRUPT ? 0 : 1);
        Thread.interrupted();
        driver.source.close();
        driver.assertAllClosed();
    }
}
