package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.Identity;
import dev.oneengine.acceptance.WorkUnderTest;

/** Units of work that record their calls in the story of the scenario. Thread-safe. */
record RecordedWork(WorkUnderTest work, Story story, String database) implements WorkUnderTest {
    @Override
    public Identity engine() throws Exception {
        return work.engine();
    }

    @Override
    public void run(Body body) throws Exception {
        story.call("runs a unit of work on " + database, () -> work.run(recorded(body)), "has ended the unit");
    }

    @Override
    public void read(Body body) throws Exception {
        story.call("runs a unit of work that reads " + database, () -> work.read(recorded(body)), "has ended the unit");
    }

    private Body recorded(Body body) {
        return transaction -> story.call(
                "is in the unit, on " + story.engine(work.engine()), () -> body.run(transaction), "leaves it");
    }

    @Override
    public ByHand begin() throws Exception {
        return story.call("begins a transaction on " + database, work::begin, transaction -> "has begun it");
    }
}
