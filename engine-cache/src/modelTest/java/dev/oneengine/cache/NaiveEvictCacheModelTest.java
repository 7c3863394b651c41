package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Why evicting takes more than a map and a lock. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NaiveEvictCacheModelTest {
    public static final class EngineAndEvict {
        private final NaiveEvictCache cache = new NaiveEvictCache();

        @Operation
        public int engine() {
            return cache.engine("a");
        }

        @Operation
        public boolean evict() {
            return cache.evict("a");
        }
    }

    public static final class EngineAlone {
        private final NaiveEvictCache cache = new NaiveEvictCache();

        @Operation
        public int engine() {
            return cache.engine("a");
        }
    }

    @Test
    void removing_the_holder_before_closing_the_engine_leaks_an_engine() {
        assertThatThrownBy(() -> Models.search(20, 500, 2).check(EngineAndEvict.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContainingAll(
                        "Invalid execution results", "evict(): false", "holders.remove(\"a\")", "switch");
    }

    @Test
    void the_same_cache_is_correct_if_evict_is_never_called() {
        Models.search(1, 500, 2).check(EngineAlone.class);
    }
}
