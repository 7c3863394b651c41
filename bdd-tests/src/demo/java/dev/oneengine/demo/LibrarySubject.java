package dev.oneengine.demo;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import dev.oneengine.demo.Event.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

/**
 * The cache of this library. Thread A is held while it creates the engine, until thread B is waiting for it. Thread-safe;
 * use one instance per run.
 */
final class LibrarySubject implements Subject {
    private final Recorder recorder;
    private final EngineCache cache = EngineCache.create(this::open, EngineSettings.defaults());

    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<DataSource, Integer> numberOfPool = new ConcurrentHashMap<>();
    private final CountDownLatch firstCreates = new CountDownLatch(1);
    private final AtomicReference<Thread> second = new AtomicReference<>();

    LibrarySubject(Recorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public String title() {
        return "One Engine's EngineCache";
    }

    @Override
    public String place() {
        return "the cache";
    }

    @Override
    public NumberedEngine engine(Lane lane) throws Exception {
        if (lane == Lane.B) {
            Limits.await(firstCreates, "thread A creates an engine");
            second.set(Thread.currentThread());
        }
        recorder.record(lane, Kind.ASK, 0, "cache.engine(url)");
        Engine engine = cache.engine(URL);
        HikariDataSource pool = engine.dataSource().unwrap(HikariDataSource.class);
        int number = Objects.requireNonNull(numberOfPool.get(pool));
        recorder.record(lane, Kind.READ, number, "engine " + number);
        return new NumberedEngine(number, engine.dataSource());
    }

    /** Creates the engine, in the thread that won the race. */
    private EngineSource open(DatabaseUrl url, EngineSettings settings) throws Exception {
        int number = numbers.incrementAndGet();
        recorder.record(Lane.A, Kind.CREATE, number, "engine " + number + " ...");
        firstCreates.countDown();
        awaitSecondWaiting();
        EngineSource source = EngineFactory.pooled().open(url, settings);
        numberOfPool.put(source.dataSource(), number);
        recorder.record(Lane.A, Kind.CREATED, number, "engine " + number + " is there");
        return source;
    }

    private void awaitSecondWaiting() {
        await("thread B waits")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Limits.LIMIT)
                .until(() -> cache.stats().waits() == 1 && state() == Thread.State.WAITING);
        recorder.record(
                Lane.B,
                Kind.WAIT,
                0,
                "seen " + state() + ", stats().waits() = " + cache.stats().waits());
    }

    private Thread.State state() {
        Thread thread = second.get();
        return thread == null ? Thread.State.NEW : thread.getState();
    }

    @Override
    public int created() {
        return numbers.get();
    }

    @Override
    public void close() {
        cache.close();
    }
}
