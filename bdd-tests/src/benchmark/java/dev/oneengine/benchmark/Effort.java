package dev.oneengine.benchmark;

import dev.oneengine.benchmark.Comparison.Pace;
import java.time.Duration;

/** The time that a run spends on each way. */
enum Effort {
    /** The full run that writes the page. */
    FULL(Clock.WALL, 31, 100, 6, 2_000, 21, 10_000),
    /** A quick run for a first look. */
    QUICK(Clock.WALL, 11, 50, 3, 700, 5, 1_000),
    /** A quick run on a busy machine, where threads often wait for a processor. */
    LOADED(Clock.CPU, 11, 50, 3, 700, 5, 1_000),
    /** The shortest run, for tests of the comparisons. */
    SMOKE(Clock.WALL, 1, 1, 1, 20, 1, 5);

    private final Clock clock;
    private final int shortRounds;
    private final int shortMillis;
    private final int longRounds;
    private final int longMillis;
    private final int singleRounds;

    /** The number of databases that exist at the same time. */
    private final int crowd;

    Effort(Clock clock, int shortRounds, int shortMillis, int longRounds, int longMillis, int singleRounds, int crowd) {
        this.clock = clock;
        this.shortRounds = shortRounds;
        this.shortMillis = shortMillis;
        this.longRounds = longRounds;
        this.longMillis = longMillis;
        this.singleRounds = singleRounds;
        this.crowd = crowd;
    }

    int rounds(Pace pace) {
        return switch (pace) {
            case SHORT, WAITING -> shortRounds;
            case LONG -> longRounds;
            case SINGLE -> singleRounds;
        };
    }

    Duration slice(Pace pace) {
        return Duration.ofMillis(
                switch (pace) {
                    case SHORT, WAITING -> shortMillis;
                    case LONG -> longMillis;
                    case SINGLE -> 0;
                });
    }

    /** The length of a round in words. */
    String length(Pace pace) {
        return pace == Pace.SINGLE ? "one execution" : slice(pace).toMillis() + " ms";
    }

    /** The clock that measures rounds. Where threads wait for a server or for each other, the wait counts. */
    Clock clock(Pace pace) {
        return pace == Pace.SHORT ? clock : Clock.WALL;
    }

    /** The time before the first round, in which the JIT compiles. */
    Duration warmUp(Pace pace) {
        return slice(pace).multipliedBy(pace == Pace.SHORT || pace == Pace.WAITING ? 15 : 1);
    }

    int crowd() {
        return crowd;
    }
}
