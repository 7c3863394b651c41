package dev.oneengine.benchmark;

import dev.oneengine.benchmark.Comparison.Opening;
import dev.oneengine.benchmark.Comparison.Runner;
import dev.oneengine.benchmark.Way.Tally;
import dev.oneengine.benchmark.Way.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;

/**
 * Runs all ways of a comparison in turn, in many rounds after a warm-up of each. Other work on the machine then slows
 * all ways down alike, so the ratio within a round is more reliable than the rate. Confined to its thread.
 */
final class Harness {
    private final Comparison comparison;
    private final List<Way> ways;
    private final Effort effort;
    private final Results results;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<Way, Tally> tallies = new HashMap<>();

    private Harness(Comparison comparison, List<Way> ways, Effort effort, Results results) {
        this.comparison = comparison;
        this.ways = ways;
        this.effort = effort;
        this.results = results;
    }

    /** Runs the ways in rounds. */
    static Runner rounds(Opening opening) {
        return (comparison, databases, results) -> {
            Harness harness = new Harness(comparison, opening.open(databases), databases.effort(), results);
            try {
                harness.run();
            } finally {
                harness.threads.shutdownNow();
            }
        };
    }

    private void run() throws Exception {
        Duration warmUp = effort.warmUp(comparison.pace());
        for (Way way : ways) {
            slice(way, warmUp);
        }
        Duration length = effort.slice(comparison.pace());
        for (int round = 0; round < effort.rounds(comparison.pace()); round++) {
            // Each round begins with another way, so that no way always follows the same one.
            for (int i = 0; i < ways.size(); i++) {
                Way way = ways.get((round + i) % ways.size());
                report(way, slice(way, length));
            }
        }
        for (Way way : ways) {
            way.check().check(tallies.getOrDefault(way, Tally.NONE));
        }
    }

    private void report(Way way, Slice slice) {
        add(way, Results.RATE, slice.threads().stream().mapToDouble(Share::rate).sum());
        if (comparison.pace() == Comparison.Pace.LONG) {
            add(way, Results.WORST, slice.max(share -> share.worst() / 1e6));
            add(way, Results.LEAST, -slice.max(share -> -share.rate()));
            add(way, Results.MOST, slice.max(Share::rate));
            add(
                    way,
                    Results.FAILED,
                    slice.threads().stream().mapToDouble(Share::failed).sum());
        }
        if (way.beside() != Way.NOTHING) {
            add(way, Results.BESIDE, slice.beside().rate());
        }
    }

    private void add(Way way, String measure, double value) {
        results.add(comparison.id(), way.name(), measure, value);
    }

    /** The executions of one thread. */
    private record Share(long operations, long failed, long nanos, long worst) {
        double rate() {
            return operations * 1e9 / nanos;
        }
    }

    /** The executions of all threads. */
    private record Slice(List<Share> threads, Share beside) {
        double max(ToDoubleFunction<Share> value) {
            return threads.stream().mapToDouble(value).max().orElseThrow();
        }
    }

    private Slice slice(Way way, Duration length) throws Exception {
        boolean besides = way.beside() != Way.NOTHING;
        int number = comparison.threads() + (besides ? 1 : 0);
        CyclicBarrier start = new CyclicBarrier(number);
        List<Future<Share>> running = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Work work = i < comparison.threads() ? way.work() : way.beside();
            running.add(threads.submit(() -> {
                start.await();
                return repeat(work, way.mayFail(), length.toNanos());
            }));
        }
        List<Share> shares = new ArrayList<>();
        for (Future<Share> share : running) {
            shares.add(share.get());
        }
        Share beside = besides ? shares.remove(number - 1) : new Share(0, 0, 1, 0);
        Slice slice = new Slice(shares, beside);
        Tally tally = new Tally(
                shares.stream().mapToLong(Share::operations).sum(),
                shares.stream().mapToLong(Share::failed).sum(),
                beside.operations());
        tallies.merge(way, tally, Tally::plus);
        return slice;
    }

    private Share repeat(Work work, boolean mayFail, long length) throws Exception {
        long operations = 0;
        long failed = 0;
        long worst = 0;
        Clock clock = effort.clock(comparison.pace());
        long begin = clock.nanos();
        long now = begin;
        do {
            try {
                operations += work.run();
            } catch (Exception e) {
                if (!mayFail) {
                    throw e;
                }
                failed++;
            }
            long before = now;
            now = clock.nanos();
            worst = Math.max(worst, now - before);
        } while (now - begin < length);
        return new Share(operations, failed, now - begin, worst);
    }
}
