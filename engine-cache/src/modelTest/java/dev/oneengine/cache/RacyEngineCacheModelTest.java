package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The model checker finds the race of the bug reports #7566 and #3950, and a concurrent map does not remove it; a lock
 * does.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RacyEngineCacheModelTest {
    public static final class OnAHashMap {
        private final RacyEngineCache cache = new RacyEngineCache(new HashMap<>());

        @Operation
        public int engine() {
            return cache.engine("a").number();
        }
    }

    public static final class OnAConcurrentHashMap {
        private final RacyEngineCache cache = new RacyEngineCache(new ConcurrentHashMap<>());

        @Operation
        public int engine() {
            return cache.engine("a").number();
        }
    }

    public static final class UnderALock {
        private final Object lock = new Object();
        private final RacyEngineCache cache = new RacyEngineCache(new HashMap<>());

        @Operation
        public int engine() {
            synchronized (lock) {
                return cache.engine("a").number();
            }
        }
    }

    @Test
    void a_hash_map_without_a_lock_creates_two_engines() {
        assertTwoEngines(Interleaving.of(OnAHashMap.class));
    }

    @Test
    void a_concurrent_map_without_a_lock_creates_two_engines() {
        assertTwoEngines(Interleaving.of(OnAConcurrentHashMap.class));
    }

    @Test
    void a_lock_around_all_four_steps_creates_one_engine() {
        Interleaving.search().check(UnderALock.class);
    }

    private static void assertTwoEngines(LincheckAssertionError found) {
        assertThat(found.getMessage())
                .contains("Invalid execution results", "| engine(): 1 | engine(): 2 |")
                .contains("The following interleaving leads to the error:", "map.containsKey(\"a\"): false", "switch");
    }

    @Test
    void the_documented_interleaving_is_the_detected_one() {
        assertThat(Interleaving.documented()).isEqualTo(Interleaving.steps(Interleaving.of(OnAHashMap.class)));
    }
}
