package dev.oneengine.cache;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** One thread asks for an existing engine while another evicts it. */
@JCStressTest
@Outcome(id = "true, true, 1", expect = Expect.ACCEPTABLE, desc = "the old engine was given away, then evicted")
@Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "evicted, then the new engine was given away")
@Outcome(expect = Expect.FORBIDDEN, desc = "closed engines are given away, or two are open at a time")
@State
public class EngineAndEvictStress {
    private final CountedFactory factory = new CountedFactory();
    private final EngineCache cache = factory.cache();
    private final Engine old = cache.engine(CountedFactory.URL);
    private Engine got = old;

    @Actor
    public void engine() {
        got = cache.engine(CountedFactory.URL);
    }

    @Actor
    public void evict(ZZI_Result result) {
        result.r1 = cache.evict(CountedFactory.URL);
    }

    @Arbiter
    public void compare(ZZI_Result result) {
        result.r2 = got.isClosed();
        // An engine that is found now must be open: no alias may still lead to the old engine.
        boolean open = !cache.engine(CountedFactory.URL).isClosed();
        result.r3 = open && factory.open() == 1 ? factory.worst() : -1;
    }
}
