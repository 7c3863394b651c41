package dev.oneengine.cache;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A thread sees the complete state of an engine and of a step's result that another thread has created, although none
 * of their fields is volatile. The model checker cannot verify that, because it assumes that every write is visible at
 * once.
 */
@JCStressTest
@Outcome(id = "7, 42, 42", expect = Expect.ACCEPTABLE, desc = "both threads see the complete state")
@Outcome(expect = Expect.FORBIDDEN, desc = "a thread saw an incomplete engine or result")
@State
public class EngineStateStress {
    private static final EngineSettings SETTINGS =
            EngineSettings.builder().poolSize(7).build();

    private final EngineCache cache = EngineCache.create(new CountedFactory(), SETTINGS);

    /** The result of a step; passing it to another thread is unsafe without synchronisation. */
    private static final class Found {
        private int value;
    }

    private static final class Step implements Preparation<Found> {
        @Override
        public String name() {
            return "find";
        }

        @Override
        public Found prepare(Engine engine) {
            Found found = new Found();
            found.value = 42;
            return found;
        }
    }

    @Actor
    public void one(III_Result result) {
        result.r2 = cache.engine(CountedFactory.URL).prepare(new Step()).value;
    }

    @Actor
    public void two(III_Result result) {
        Engine engine = cache.engine(CountedFactory.URL);
        boolean all = engine.dataSource() != null && engine.url().name().equals("a");
        result.r1 = all ? engine.settings().poolSize() : -1;
        result.r3 = engine.prepare(new Step()).value;
    }
}
