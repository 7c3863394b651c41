package dev.oneengine.acceptance;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A correct cache without JDBC: its databases are maps that know just enough SQL. Thread-safe. */
final class MapCache implements CacheUnderTest {
    private final Map<String, FutureTask<MapEngine>> engines = new ConcurrentHashMap<>();
    private final Creation creation;

    MapCache(Creation creation) {
        this.creation = creation;
    }

    @Override
    public EngineUnderTest engine(String url) throws Exception {
        FutureTask<MapEngine> mine = new FutureTask<>(() -> {
            creation.begins(url);
            return new MapEngine();
        });
        FutureTask<MapEngine> first = engines.putIfAbsent(url, mine);
        FutureTask<MapEngine> engine = first == null ? mine : first;
        engine.run();
        try {
            return engine.get();
        } catch (ExecutionException e) {
            engines.remove(url, engine);
            throw e;
        }
    }

    @Override
    public Identity identity() {
        return Identity.of(this);
    }

    @Override
    public void close() {
        engines.clear();
    }

    /** Names of tables, and their rows. One transaction at a time. */
    private static final class MapEngine implements EngineUnderTest {
        private final ReentrantLock transaction = new ReentrantLock();
        private final Map<String, TreeSet<String>> tables = new TreeMap<>();

        @Override
        public Identity identity() {
            return Identity.of(this);
        }

        @Override
        public ConnectionUnderTest connect() {
            return new MapConnection(this);
        }

        @Override
        public void close() {}
    }

    private record MapConnection(MapEngine engine) implements ConnectionUnderTest {
        private static final Pattern CREATE = Pattern.compile("CREATE TABLE (\\w+).*");
        private static final Pattern INSERT = Pattern.compile("INSERT INTO (\\w+) VALUES \\('(.*)'\\)");
        private static final Pattern SELECT = Pattern.compile("SELECT \\w+ FROM (\\w+).*");

        @Override
        public List<String> sql(String sql) {
            begin();
            try {
                return run(sql);
            } finally {
                commit();
            }
        }

        private List<String> run(String sql) {
            Matcher create = CREATE.matcher(sql);
            Matcher insert = INSERT.matcher(sql);
            Matcher select = SELECT.matcher(sql);
            if (create.matches()) {
                engine.tables.put(create.group(1), new TreeSet<>());
                return List.of();
            }
            if (insert.matches()) {
                engine.tables.get(insert.group(1)).add(insert.group(2));
                return List.of();
            }
            if (select.matches()) {
                return List.copyOf(
                        select.group(1).equals("sqlite_master")
                                ? engine.tables.keySet()
                                : engine.tables.get(select.group(1)));
            }
            return List.of(sql.replace("SELECT ", ""));
        }

        @Override
        public void begin() {
            engine.transaction.lock();
        }

        @Override
        public void commit() {
            engine.transaction.unlock();
        }

        @Override
        public void rollback() {
            throw new UnsupportedOperationException("rollback");
        }

        @Override
        public void close() {}
    }
}
