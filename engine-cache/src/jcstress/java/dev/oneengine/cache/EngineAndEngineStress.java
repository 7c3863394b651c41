package dev.oneengine.cache;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** Two threads make the first calls for an engine: the race of #7566 and #3950. */
@JCStressTest
@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "both threads got the only engine")
@Outcome(expect = Expect.FORBIDDEN, desc = "more than one engine for one URL")
@State
public class EngineAndEngineStress {
    private final CountedFactory factory = new CountedFactory();
    private final EngineCache cache = factory.cache();
    private @Nullable Engine one;
    private @Nullable Engine two;

    @Actor
    public void one() {
        one = cache.engine(CountedFactory.URL);
    }

    @Actor
    public void two() {
        two = cache.engine(CountedFactory.URL);
    }

    @Arbiter
    public void compare(ZI_Result result) {
        result.r1 = one != null && one == two;
        result.r2 = factory.open();
    }
}
