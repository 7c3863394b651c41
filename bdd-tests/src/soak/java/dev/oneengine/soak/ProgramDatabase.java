package dev.oneengine.soak;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineClosedException;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSettings.Isolation;
import dev.oneengine.cache.EngineSource;
import dev.oneengine.cache.Preparation;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.TestSource;
import dev.oneengine.work.RetryPolicy;
import dev.oneengine.work.UnitOfWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The database of one program, with its cache. Thread-safe. */
final class ProgramDatabase implements AutoCloseable {
    /** The limit for events that happen at once on an idle machine. */
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * The number of keys of each thread: thread {@code n} has the keys from {@code n * KEYS} on. Scripts use higher
     * keys.
     */
    static final int KEYS = 100;

    /** The last key of a thread. The row of this key counts the thread's additions to the shared number. */
    static final int SUM = 99;

    private final Program program;
    private final Server server;
    private final String url;
    private final EngineSettings settings;
    private final ConcurrentLinkedQueue<String> problems = new ConcurrentLinkedQueue<>();
    private final AtomicInteger created = new AtomicInteger();
    private final AtomicInteger steps = new AtomicInteger();
    private final List<DataSource> open = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Throwable> nextFailure = new AtomicReference<>();
    private volatile EngineCache cache;

    /** The last applied script: a later engine needs all scripts up to it. */
    private volatile int version = 1;

    private volatile UnitOfWork work;

    ProgramDatabase(Program program, Server server) throws SQLException {
        this.program = program;
        this.server = server;
        this.url = server.nextUrl(program.scripts());
        this.settings = EngineSettings.builder()
                .poolSize(program.poolSize())
                .busyTimeout(Duration.ofSeconds(30))
                // A thread that waits for a connection keeps waiting when the pool is closed.
                .connectionTimeout(Duration.ofSeconds(program.chaos().contains(Kind.EVICT) ? 1 : 30))
                .build();
        this.cache = newCache();
        this.work = newWork(cache);
    }

    private EngineCache newCache() {
        return EngineCache.create(this::open, settings);
    }

    private UnitOfWork newWork(EngineCache from) {
        return settings(UnitOfWork.builder(url).cache(from).prepare(tables())).build();
    }

    private UnitOfWork.Builder settings(UnitOfWork.Builder builder) {
        return builder.isolation(program.relaxed() ? Isolation.READ_COMMITTED : Isolation.SERIALIZABLE)
                .retry(new RetryPolicy(program.attempts(), Duration.ZERO, Duration.ofMillis(5), Duration.ofMinutes(1)));
    }

    private Preparation<?> tables() {
        return program.scripts()
                ? MigrationRunner.on(url)
                        .locations(server.locations(version, false))
                        .preparation()
                : Preparation.of(
                        "tables",
                        engine ->
                                Sql.execute(engine.dataSource(), Server.tables().toArray(String[]::new)));
    }

    /** Opens the database as the library does, and records what is created and closed. */
    private EngineSource open(DatabaseUrl at, EngineSettings with) throws Exception {
        Throwable failure = nextFailure.getAndSet(null);
        if (failure != null) {
            throw Planned.<Exception>sneaky(failure);
        }
        EngineSource source =
                program.plain() ? new PlainSource(at) : EngineFactory.pooled().open(at, with);
        DataSource pool = source.dataSource();
        created.incrementAndGet();
        open.add(pool);
        if (open.size() > 1) {
            report("two engines at once");
        }
        return new TestSource(pool, () -> {
            source.close();
            open.remove(pool);
        });
    }

    UnitOfWork work() {
        return work;
    }

    UnitOfWork onFork(Engine fork) {
        return settings(UnitOfWork.builder(fork)).build();
    }

    Engine fork() {
        return server.fork();
    }

    void report(String problem) {
        problems.add(problem);
    }

    void evict() {
        cache.evict(url);
    }

    void closeCache() {
        EngineCache old = cache;
        old.close();
        try {
            old.engine(url);
            report("a closed cache gives engines");
        } catch (EngineClosedException e) {
            // expected
        }
        cache = newCache();
        work = newWork(cache);
    }

    private static Throwable planned(int number) {
        Kind[] kinds = {Kind.THROW_EXCEPTION, Kind.THROW_RUNTIME_EXCEPTION, Kind.THROW_ERROR};
        return Planned.of(kinds[number % kinds.length], number);
    }

    @Nullable Throwable failToOpen(int number) {
        evict();
        nextFailure.set(planned(number));
        return failureOf(() -> work.run(tx -> {}));
    }

    /** Runs two units of work whose engine needs the same preparation. Its first attempt fails. */
    String failToPrepare(int number) {
        work.engine();
        AtomicReference<@Nullable Throwable> once = new AtomicReference<>(planned(number));
        Preparation<?> step = Preparation.of("fails once, " + steps.incrementAndGet(), engine -> {
            Throwable failure = once.getAndSet(null);
            if (failure != null) {
                throw Planned.<Exception>sneaky(failure);
            }
        });
        UnitOfWork failing = UnitOfWork.builder(url).cache(cache).prepare(step).build();
        String first = Failures.describe(failureOf(() -> failing.run(tx -> {})));
        return first + ", then " + Failures.describe(failureOf(() -> failing.run(tx -> {})));
    }

    private static @Nullable Throwable failureOf(Runnable action) {
        try {
            action.run();
            return null;
        } catch (Throwable t) {
            return t;
        }
    }

    String migrate(int target, boolean broken) {
        work.engine();
        String reached = MigrationRunner.on(url)
                .cache(cache)
                .locations(server.locations(target, broken))
                .migrate()
                .version();
        version = target;
        work = newWork(cache);
        return "version " + reached;
    }

    void kill(String pid) throws SQLException {
        server.kill(pid);
    }

    /** Makes PostgreSQL report a conflict. SQLite cannot report one on request, so there this class throws it. */
    void conflict(Connection connection) throws SQLException {
        if (server.isPostgres()) {
            Sql.execute(connection, "DO $$ BEGIN RAISE EXCEPTION 'planned' USING ERRCODE = '40001'; END $$");
        }
        throw new SQLException("planned", "40001");
    }

    /** Disturbs all threads of a program at once. */
    void strike(Kind kind, List<Thread> threads) throws SQLException {
        switch (kind) {
            case EVICT -> evict();
            case KILL -> server.kill(null);
            default -> threads.forEach(Thread::interrupt);
        }
    }

    /** Keeps only the rows of the current thread; all rows in a program of one thread. */
    Map<String, String> own(Map<String, String> rows) {
        if (!program.isSequential()) {
            String name = Thread.currentThread().getName();
            int thread = Integer.parseInt(name.substring(name.lastIndexOf(' ') + 1));
            rows.keySet().removeIf(key -> Integer.parseInt(key.substring(3)) / KEYS != thread);
        }
        return rows;
    }

    /** All rows of the current thread, read without a unit of work. */
    Map<String, String> rows() throws SQLException {
        return own(allRows());
    }

    private Map<String, String> allRows() throws SQLException {
        Map<String, String> rows = new TreeMap<>();
        if (server.database() == Database.MEMORY) {
            try (Connection connection = work.engine().dataSource().getConnection()) {
                Server.readAll(connection, rows);
            }
        } else {
            server.read(rows);
        }
        return rows;
    }

    /** Compares the shared number with the additions that each thread has counted, after all threads have ended. */
    String sum() throws SQLException {
        Map<String, String> rows = allRows();
        int noted = rows.entrySet().stream()
                .filter(row -> row.getKey().startsWith("t0/") && row.getValue().matches("[+]+"))
                .mapToInt(row -> row.getValue().length())
                .sum();
        String shared = Sql.query(work.engine().dataSource(), "SELECT n FROM shared");
        return shared.equals(Integer.toString(noted)) ? "" : "the sum is " + shared + ", and not " + noted;
    }

    /** Returns the rows in the database and the problems of the engine. */
    String state() {
        try {
            if (Thread.interrupted()) {
                report("the thread is interrupted");
            }
            Map<String, String> rows = rows();
            open.forEach(this::inspect);
            String text = "rows " + rows + ", engines " + created;
            return problems.isEmpty() ? text : text + ", but " + problems;
        } catch (SQLException e) {
            return "no state: " + e;
        }
    }

    private void inspect(DataSource pool) {
        try {
            if (program.plain()) {
                try (Connection connection = pool.getConnection()) {
                    if (!connection.getAutoCommit()
                            || !Sql.query(connection, "PRAGMA query_only").equals("0")) {
                        report("a plain connection is not as it was");
                    }
                }
                return;
            }
            HikariDataSource hikari = pool.unwrap(HikariDataSource.class);
            if (!await(() -> hikari.getHikariPoolMXBean().getActiveConnections() == 0)) {
                report(hikari.getHikariPoolMXBean().getActiveConnections() + " connections are in use");
            }
            try (Connection connection = pool.getConnection()) {
                if (!connection.getAutoCommit() || connection.isReadOnly()) {
                    report("a connection is not as it was: " + connection.getAutoCommit() + connection.isReadOnly());
                }
            }
        } catch (SQLException e) {
            report("an idle connection fails: " + e);
        }
    }

    static boolean await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return true;
    }

    static void read(Connection connection, String table, Map<String, String> rows) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT * FROM " + table)) {
            while (result.next()) {
                rows.put(table + "/" + result.getInt(1), result.getString(2));
            }
        }
    }

    /**
     * Closes everything.
     *
     * @return the resources that are still open, or an empty text
     */
    String end() throws SQLException, IOException {
        close();
        StringBuilder left = new StringBuilder(problems.isEmpty() ? "" : problems + "; ");
        if (!open.isEmpty()) {
            left.append("an engine is open; ");
        }
        if (server.database() == Database.FILE) {
            Path file = server.file();
            List<String> descriptors = descriptors(file);
            if (!descriptors.isEmpty()) {
                left.append("open files: ").append(descriptors);
            }
            for (String suffix : List.of("", "-wal", "-shm")) {
                Files.deleteIfExists(Path.of(file + suffix));
            }
        }
        return left.toString();
    }

    /** Returns the open files of this process with a certain path, if the system lists them. */
    private static List<String> descriptors(Path file) throws IOException {
        Path own = Path.of("/proc/self/fd");
        if (!Files.isDirectory(own)) {
            return List.of();
        }
        try (var links = Files.list(own)) {
            return links.map(ProgramDatabase::target)
                    .filter(target -> target.startsWith(file.toString()))
                    .toList();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }

    @Override
    public void close() {
        cache.close();
    }
}
