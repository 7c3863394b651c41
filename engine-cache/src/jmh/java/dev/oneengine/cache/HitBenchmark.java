package dev.oneengine.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to find an engine that is there, beside what others would use. The unit of comparison is a map's get. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class HitBenchmark {
    private static final String URL = "jdbc:sqlite:file:orders?mode=memory";

    private final EngineCache cache = EngineCache.create();
    private final ConcurrentHashMap<String, Engine> map = new ConcurrentHashMap<>();
    private final Map<String, Engine> synchronizedMap = Collections.synchronizedMap(new HashMap<>());
    private final Cache<String, Engine> caffeine = Caffeine.newBuilder().build();

    /** Fills each of them with the same engine. */
    @Setup
    public void fill() {
        Engine engine = cache.engine(URL);
        map.put(URL, engine);
        synchronizedMap.put(URL, engine);
        caffeine.put(URL, engine);
    }

    /** Closes the engine. */
    @TearDown
    public void close() {
        cache.close();
    }

    /** This library. */
    @Benchmark
    public Engine engineCache() {
        return cache.engine(URL);
    }

    /** The least that a map can cost. */
    @Benchmark
    public Engine mapGet() {
        return Objects.requireNonNull(map.get(URL));
    }

    /** The idiom that creates under the map's own lock. */
    @Benchmark
    public Engine mapComputeIfAbsent() {
        return map.computeIfAbsent(URL, cache::engine);
    }

    /** The lock of the Python fix, around every access. */
    @Benchmark
    public Engine synchronizedMapGet() {
        return Objects.requireNonNull(synchronizedMap.get(URL));
    }

    /** A cache for everything. */
    @Benchmark
    public Engine caffeineGet() {
        return caffeine.get(URL, cache::engine);
    }
}
