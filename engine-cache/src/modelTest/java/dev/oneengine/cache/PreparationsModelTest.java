package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The steps of one engine run once each and one at a time; a step that failed runs again. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PreparationsModelTest {
    private static final DatabaseUrl URL = DatabaseUrl.parse("jdbc:sqlite:file:a?mode=memory");

    @Param(name = "step", gen = IntGen.class, conf = "0:1")
    public static final class TwoSteps {
        private final Engine engine = engine();
        private final Log log = new Log();
        private final Step[] steps = {new Step("one", log, 0), new Step("two", log, 0)};

        /** Returns how often the step had run when it returned its result: always once. */
        @Operation
        public int prepare(@Param(name = "step") int step) {
            return engine.prepare(steps[step]);
        }

        @Validate
        public void no_two_steps_overlap() {
            log.check();
        }
    }

    /** One attempt fails. A thread that got this failure must succeed at its next attempt. */
    public static final class OneStepThatFailsOnce {
        private final Engine engine = engine();
        private final Log log = new Log();
        private final Step step = new Step("one", log, 1);

        @Operation
        public int atTheSecondTry() {
            int first = attempt();
            return first == 0 ? attempt() : first;
        }

        private int attempt() {
            try {
                return engine.prepare(step);
            } catch (PreparationException e) {
                return 0;
            }
        }

        @Validate
        public void no_two_steps_overlap() {
            log.check();
        }
    }

    /**
     * The expected results in any order of calls: that of the first run, or that of the second run if the first one
     * fails.
     */
    public static final class Expected {
        public int prepare(int step) {
            return 1;
        }

        public int atTheSecondTry() {
            return 2;
        }
    }

    @Param(name = "step", gen = IntGen.class, conf = "0:1")
    public static final class WithoutGuard {
        private final Engine engine = engine();
        private final Log log = new Log();
        private final Step[] steps = {new Step("one", log, 0), new Step("two", log, 0)};

        @Operation
        public void prepare(@Param(name = "step") int step) {
            steps[step].prepare(engine);
        }

        @Validate
        public void no_two_steps_overlap() {
            log.check();
        }
    }

    @Test
    void each_step_runs_once_and_no_two_steps_overlap() {
        Models.searchCache(4, 200, 2).sequentialSpecification(Expected.class).check(TwoSteps.class);
    }

    @Test
    void a_failed_step_fails_its_waiting_callers_and_the_next_call_retries() {
        Models.searchCache(1, 300, 1).sequentialSpecification(Expected.class).check(OneStepThatFailsOnce.class);
    }

    /** Shows that the tests above can fail: the checker finds steps that overlap. */
    @Test
    void the_model_checker_detects_overlapping_steps() {
        assertThatThrownBy(() -> Models.searchCache(4, 200, 2).check(WithoutGuard.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("two steps overlapped");
    }

    private static Engine engine() {
        return EngineCache.create(new NumberedFactory(), EngineSettings.defaults())
                .engine(URL);
    }

    /** Detects steps that overlap. */
    private static final class Log {
        private volatile boolean running;
        private volatile boolean together;

        void check() {
            if (together) {
                throw new IllegalStateException("two steps overlapped");
            }
        }
    }

    /** A step that counts its runs and fails in the first ones. */
    private static final class Step implements Preparation<Integer> {
        private final String name;
        private final Log log;
        private final int failures;
        private int runs;

        Step(String name, Log log, int failures) {
            this.name = name;
            this.log = log;
            this.failures = failures;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Integer prepare(Engine engine) {
            if (log.running) {
                log.together = true;
            }
            log.running = true;
            runs++;
            log.running = false;
            if (runs <= failures) {
                throw new IllegalStateException("the first attempt fails");
            }
            return runs;
        }
    }
}
