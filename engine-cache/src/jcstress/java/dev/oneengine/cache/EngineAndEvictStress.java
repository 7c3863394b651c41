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
@Outcome(id = "true, true, 1", expect = Expect.ACCEPTABLE, desc = "the old engine was returned, then evicted")
@Outcome(
        id = "true, false, 1",
        expect = Expect.ACCEPTABLE,
        desc = "the old engine was evicted, then a new one was returned")
@Outcome(expect = Expect.FORBIDDEN, desc = "a closed engine was returned, or two were open at the same time")
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
