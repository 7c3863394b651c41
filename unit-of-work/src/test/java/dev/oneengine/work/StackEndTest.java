package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Units of work that begin near the end of the stack. Wherever the stack overflows, the turn and the connection are returned. */
@Timeout(120)
class StackEndTest {
    private static final int WARM_UP = 4_000;
    private static final int THREADS = 20;
    private static final int DEPTHS = 400;
    private static final int STACK_SIZE = 256 * 1024;

    private final EngineCache cache = EngineCache.create();
    private final Engine engine = cache.engine("sqlite:///:memory:");
    private final UnitOfWork work =
            UnitOfWork.builder(engine).queueTimeout(Duration.ofSeconds(1)).build();

    @AfterEach
    void close() {
        cache.close();
    }

    @Test
    void a_stack_overflow_loses_no_turn() throws Exception {
        for (int i = 0;
                i < WARM_UP;
                i++) { // compiled code needs fewer frames, and loads no class near the end of the stack
            run();
        }

        for (int i = 0; i < THREADS; i++) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            Deep deep = new Deep();
            Thread thread = new Thread(null, () -> done.complete(deep.runAtEachDepth()), "deep " + i, STACK_SIZE);
            thread.setDaemon(true); // if a lock is lost, not even an interrupt ends the wait
            thread.start();
            done.get(60, TimeUnit.SECONDS);
            assertThat(deep.otherFailure).isNull();
            run();
        }

        assertThat(engine.dataSource()
                        .unwrap(HikariDataSource.class)
                        .getHikariPoolMXBean()
                        .getActiveConnections())
                .isZero();
    }

    private void run() {
        work.run(tx -> assertThat(tx.connection()).isNotNull());
    }

    /** A thread that fills its stack and then begins a unit in each of the deepest calls. */
    private final class Deep {
        private int unitsLeft = DEPTHS;
        private Throwable otherFailure;

        Void runAtEachDepth() {
            descend(Integer.MAX_VALUE);
            return null;
        }

        private int descend(int calls) {
            int depth = 0;
            try {
                depth = calls > 0 ? 1 + descend(calls - 1) : 0;
            } catch (StackOverflowError e) {
                unitsLeft = DEPTHS;
            }
            if (unitsLeft > 0) {
                unitsLeft--;
                try {
                    run();
                } catch (StackOverflowError e) {
                    // Expected: there is too little stack for a unit.
                } catch (Throwable t) {
                    otherFailure = t;
                }
            }
            return depth;
        }
    }
}
