package dev.oneengine.cache;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** One thread asks for the first engine while another evicts that engine if it exists already. */
@JCStressTest
@Outcome(
        id = "false, false, 1",
        expect = Expect.ACCEPTABLE,
        desc = "evicted before the creation, so there was no engine to evict")
@Outcome(id = "true, true, 1", expect = Expect.ACCEPTABLE, desc = "created, then evicted")
@Outcome(expect = Expect.FORBIDDEN, desc = "an engine leaked, or two were open at the same time")
@State
public class NewEngineAndEvictStress {
    private final CountedFactory factory = new CountedFactory();
    private final EngineCache cache = factory.cache();
    private @Nullable Engine got;

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
        result.r2 = got != null && got.isClosed();
        boolean open = !cache.engine(CountedFactory.URL).isClosed();
        result.r3 = open && factory.open() == 1 ? factory.worst() : -1;
    }
}
