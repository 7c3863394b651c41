package dev.oneengine.cache;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** One thread asks for an engine while another closes the cache for good. */
@JCStressTest
@Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "rejected by the closed cache")
@Outcome(id = "true, 0", expect = Expect.ACCEPTABLE, desc = "created or found, then closed")
@Outcome(expect = Expect.FORBIDDEN, desc = "an engine is open in a closed cache")
@State
public class EngineAndCloseStress {
    private final CountedFactory factory = new CountedFactory();
    private final EngineCache cache = factory.cache();

    @Actor
    public void engine(ZI_Result result) {
        try {
            cache.engine(CountedFactory.URL);
            result.r1 = true;
        } catch (EngineClosedException e) {
            result.r1 = false;
        }
    }

    @Actor
    public void close() {
        cache.close();
    }

    @Arbiter
    public void count(ZI_Result result) {
        result.r2 = factory.open();
    }
}
