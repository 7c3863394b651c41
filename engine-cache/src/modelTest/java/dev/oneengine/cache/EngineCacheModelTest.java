package dev.oneengine.cache;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The cache is linearizable: the results of concurrent calls are always those of the same calls in some order, one
 * after another.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineCacheModelTest {
    /**
     * Only one database: calls for a second one never wait for the first, so they would make the search less thorough.
     */
    private static final List<String> TEXTS = List.of("jdbc:sqlite:file:a?mode=memory", "jdbc:sqlite:file:a?vfs=memdb");

    @Param(name = "text", gen = IntGen.class, conf = "0:1")
    public static final class EngineEvictClose {
        private final NumberedFactory factory = new NumberedFactory();
        private final EngineCache cache = EngineCache.create(factory, EngineSettings.defaults());

        @Operation
        public int engine(@Param(name = "text") int text) {
            int closedBefore = factory.closed();
            return factory.number(cache.engine(TEXTS.get(text)), closedBefore);
        }

        @Operation
        public boolean evict() {
            return cache.evict(TEXTS.get(0));
        }

        @Operation(runOnce = true)
        public void close() {
            cache.close();
        }

        @Validate
        public void no_rule_of_the_cache_is_broken() {
            factory.check(cache);
        }
    }

    @Param(name = "text", gen = IntGen.class, conf = "0:1")
    public static final class EngineEvictCloseFirst {
        private final NumberedFactory factory = new NumberedFactory();
        private final EngineCache cache = EngineCache.create(factory, EngineSettings.defaults());
        private volatile @Nullable Engine first;

        @Operation
        public int engine(@Param(name = "text") int text) {
            int closedBefore = factory.closed();
            Engine engine = cache.engine(TEXTS.get(text));
            int number = factory.number(engine, closedBefore);
            if (number == 1) {
                first = engine;
            }
            return number;
        }

        @Operation
        public boolean evict() {
            int handedOut = factory.handedOut();
            boolean evicted = cache.evict(TEXTS.get(0));
            factory.evicted(handedOut);
            return evicted;
        }

        @Operation
        public void closeFirst() {
            Engine engine = first;
            if (engine != null) {
                engine.close();
            }
        }

        @Validate
        public void no_rule_of_the_cache_is_broken() {
            factory.check(cache);
        }
    }

    /** One creation fails. A thread that got this failure must succeed at its next attempt. */
    public static final class FailingOnce {
        private final NumberedFactory factory = new NumberedFactory();
        private final AtomicBoolean fails = new AtomicBoolean(true);
        private final EngineCache cache = EngineCache.create(this::open, EngineSettings.defaults());

        private EngineSource open(DatabaseUrl url, EngineSettings settings) {
            if (fails.getAndSet(false)) {
                throw new IllegalStateException("the first attempt fails");
            }
            return factory.open(url, settings);
        }

        @Operation
        public boolean succeedsAtTheSecondTry() {
            boolean first = succeeds();
            return first || succeeds();
        }

        private boolean succeeds() {
            try {
                cache.engine(TEXTS.get(0));
                return true;
            } catch (EngineCreationException e) {
                return false;
            }
        }

        @Validate
        public void no_rule_of_the_cache_is_broken() {
            factory.check(cache);
        }
    }

    public static final class AlwaysSucceeds {
        public boolean succeedsAtTheSecondTry() {
            return true;
        }
    }

    @Test
    void engine_evict_and_close_are_linearizable() {
        Models.searchCache(15, 250, 2)
                .sequentialSpecification(SequentialEngineCache.class)
                .check(EngineEvictClose.class);
    }

    @Test
    void engine_evict_and_closing_an_engine_are_linearizable() {
        Models.searchCache(8, 250, 2)
                .sequentialSpecification(SequentialEngineCache.class)
                .check(EngineEvictCloseFirst.class);
    }

    @Test
    void a_failed_creation_fails_its_waiting_callers_and_the_next_call_retries() {
        Models.searchCache(1, 300, 1)
                .sequentialSpecification(AlwaysSucceeds.class)
                .check(FailingOnce.class);
    }
}
