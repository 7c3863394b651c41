package dev.oneengine.demo;

import dev.oneengine.demo.Event.Kind;
import dev.oneengine.demo.RacyCache.RacyEngine;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.jspecify.annotations.Nullable;

/**
 * The cache of the bug reports. The two threads are held between its steps so that they interleave in the order that breaks
 * it. Holding them changes nothing else. Thread-safe; use one instance per run.
 */
final class RacySubject implements Subject {
    private final Recorder recorder;
    private final RacyCache cache = new RacyCache();

    private final CountDownLatch firstHasChecked = new CountDownLatch(1);
    private final CyclicBarrier bothHaveChecked = new CyclicBarrier(2);
    private final CountDownLatch firstCreates = new CountDownLatch(1);
    private final CountDownLatch firstHasRead = new CountDownLatch(1);
    private final CountDownLatch secondHasRead = new CountDownLatch(1);

    RacySubject(Recorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public String title() {
        return "The cache of the bug reports";
    }

    @Override
    public String place() {
        return "the map";
    }

    @Override
    public NumberedEngine engine(Lane lane) throws Exception {
        if (lane == Lane.B) {
            Limits.await(firstHasChecked, "thread A checks");
        }
        RacyEngine engine = cache.engine(URL, lane == Lane.A ? new First() : new Second());
        return new NumberedEngine(engine.number(), engine.dataSource());
    }

    @Override
    public int created() {
        return cache.created();
    }

    @Override
    public void close() {
        cache.close();
    }

    /** Records each step. */
    private class Recorded implements RacyCache.Steps {
        private final Lane lane;

        Recorded(Lane lane) {
            this.lane = lane;
        }

        @Override
        public void checked(boolean absent) throws Exception {
            recorder.record(lane, Kind.CHECK, 0, absent ? "no engine in the map" : "there is an engine");
        }

        @Override
        public void creating(int number) throws Exception {
            recorder.record(lane, Kind.CREATE, number, "engine " + number + " ...");
        }

        @Override
        public void created(RacyEngine engine) throws Exception {
            recorder.record(lane, Kind.CREATED, engine.number(), "engine " + engine.number() + " is there");
        }

        @Override
        public void written(RacyEngine engine, @Nullable RacyEngine replaced) throws Exception {
            recorder.record(
                    lane,
                    Kind.WRITE,
                    engine.number(),
                    "engine " + engine.number() + (replaced == null ? "" : " over engine " + replaced.number()));
        }

        @Override
        public void read(RacyEngine engine) throws Exception {
            recorder.record(lane, Kind.READ, engine.number(), "engine " + engine.number());
        }
    }

    /** Thread A: waits until B has checked, and again until B has read its engine. */
    private final class First extends Recorded {
        First() {
            super(Lane.A);
        }

        @Override
        public void checked(boolean absent) throws Exception {
            super.checked(absent);
            firstHasChecked.countDown();
            Limits.await(bothHaveChecked);
        }

        @Override
        public void creating(int number) throws Exception {
            super.creating(number);
            firstCreates.countDown();
        }

        @Override
        public void read(RacyEngine engine) throws Exception {
            super.read(engine);
            firstHasRead.countDown();
            Limits.await(secondHasRead, "thread B reads its engine");
        }
    }

    /** Thread B: checks before A creates, and writes after A has read its engine. */
    private final class Second extends Recorded {
        Second() {
            super(Lane.B);
        }

        @Override
        public void checked(boolean absent) throws Exception {
            super.checked(absent);
            Limits.await(bothHaveChecked);
            Limits.await(firstCreates, "thread A creates an engine");
        }

        @Override
        public void created(RacyEngine engine) throws Exception {
            super.created(engine);
            Limits.await(firstHasRead, "thread A reads its engine");
        }

        @Override
        public void read(RacyEngine engine) throws Exception {
            super.read(engine);
            secondHasRead.countDown();
        }
    }
}
