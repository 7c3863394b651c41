package dev.oneengine.soak;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One run of a program, compared with the model. Confined to its thread; starts the threads of the program. */
final class Run {
    /** Far longer than any program needs, so only a hang reaches it. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Program program;
    private final Server server;
    private final IdentityHashMap<Step, Integer> numbers;
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger stepsDone = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    private Run(Program program, Server server) {
        this.program = program;
        this.server = server;
        this.numbers = program.numbers();
    }

    /**
     * How a run ended.
     *
     * @param failure the difference from the model, or {@code null}
     * @param isDefined whether the model can predict the outcome; otherwise the program did not run
     * @param hangs whether threads of the program are still running
     */
    record Result(@Nullable String failure, boolean isDefined, boolean hangs) {
        static final Result UNDEFINED = new Result(null, false, false);

        boolean failed() {
            return failure != null;
        }
    }

    static Result of(Program program, Server server) {
        return isDefined(program) ? new Run(program, server).run() : Result.UNDEFINED;
    }

    /** Whether the model can predict the outcome of each step. */
    private static boolean isDefined(Program program) {
        return program.threads().stream().allMatch(steps -> isDefined(program, steps));
    }

    private static boolean isDefined(Program program, List<Step> steps) {
        Model model = new Model(program, new Interrupts());
        Interpreter interpreter = new Interpreter(model, program.numbers());
        try {
            for (Step step : steps) {
                interpreter.runOutside(step);
                model.state();
            }
            return true;
        } catch (Undefined e) {
            return false;
        }
    }

    /** Leaves out the outermost steps that the model cannot predict. */
    static Program definedPart(Program program) {
        List<List<Step>> threads = new ArrayList<>();
        for (List<Step> steps : program.threads()) {
            List<Step> defined = new ArrayList<>();
            for (Step step : steps) {
                defined.add(step);
                if (!isDefined(program, defined)) {
                    defined.remove(defined.size() - 1);
                }
            }
            threads.add(defined);
        }
        return program.with(threads, program.chaos());
    }

    private Result run() {
        boolean hangs = false;
        Map<String, String> before = server.sessions();
        try {
            ProgramDatabase database = new ProgramDatabase(program, server);
            try {
                for (int i = 0; i < program.threads().size(); i++) {
                    int index = i;
                    start("soak " + server.database() + " " + i, () -> {
                        if (program.isSequential()) {
                            compare(database);
                        } else {
                            compareAmongOthers(database, index);
                        }
                    });
                }
                if (!program.chaos().isEmpty()) {
                    start("soak " + server.database() + " chaos", () -> strike(database));
                }
            } finally {
                hangs = !join();
            }
            if (!hangs) {
                String left = program.isSequential() ? "" : database.sum();
                left += database.end();
                if (!ProgramDatabase.await(
                        () -> before.keySet().containsAll(server.sessions().keySet()))) {
                    left += "sessions on the server: " + server.sessions();
                }
                if (!left.isEmpty()) {
                    failures.add("At the end: " + left);
                }
            }
        } catch (SQLException | IOException | RuntimeException e) {
            failures.add("The end failed: " + e);
        }
        return new Result(failures.isEmpty() ? null : String.join("\n", failures), true, hangs);
    }

    /** The work of one thread. */
    private interface Work {
        void run() throws SQLException;
    }

    private void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (Throwable t) {
                        failures.add(name + " failed: " + t + " " + Arrays.toString(t.getStackTrace()));
                    } finally {
                        stepsDone.addAndGet(1_000_000); // ends the wait for this thread
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private boolean join() {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        try {
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<Thread> alive = threads.stream().filter(Thread::isAlive).toList();
        for (Thread thread : alive) {
            failures.add(thread.getName() + " hangs:\n    "
                    + String.join(
                            "\n    ",
                            Arrays.stream(thread.getStackTrace())
                                    .map(String::valueOf)
                                    .toList()));
        }
        return alive.isEmpty();
    }

    /** Checks a program of one thread: each line of its log must be as predicted. */
    private void compare(ProgramDatabase database) {
        RealWorld real = new RealWorld(database);
        Interpreter interpreter = new Interpreter(real, numbers);
        Model model = new Model(program, real.interrupts());
        Interpreter predicting = new Interpreter(model, numbers);
        for (Step step : program.threads().get(0)) {
            interpreter.runOutside(step);
            interpreter.log().add(real.state());
            try {
                predicting.runOutside(step);
                predicting.log().add(model.state());
            } catch (Undefined e) {
                return; // the model cannot predict an interrupt at this moment
            }
            if (difference(predicting.log(), interpreter.log()) >= 0) {
                failures.add(show(predicting.log(), interpreter.log()));
                return;
            }
        }
    }

    /** Returns the first line at which two logs differ, or -1. */
    private static int difference(List<String> expected, List<String> actual) {
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
            if (i >= expected.size() || !Failures.matches(expected.get(i), i < actual.size() ? actual.get(i) : null)) {
                return i;
            }
        }
        return -1;
    }

    private static String show(List<String> expected, List<String> actual) {
        int at = difference(expected, actual);
        StringBuilder text = new StringBuilder();
        for (int i = Math.max(0, at - 12); i < at; i++) {
            text.append("         ").append(actual.get(i)).append('\n');
        }
        text.append("expected ")
                .append(at < expected.size() ? expected.get(at) : "nothing")
                .append('\n');
        text.append("but was  ")
                .append(at < actual.size() ? actual.get(at) : "nothing")
                .append('\n');
        for (int i = at + 1; i < Math.min(actual.size(), at + 4); i++) {
            text.append("         ").append(actual.get(i)).append('\n');
        }
        return text.toString();
    }

    /**
     * Checks one of several threads. Each step must have its predicted outcome, hooks and effect, unless other threads
     * made its transactions fail. Even then, each transaction is committed as a whole or not at all. Each thread has
     * its own rows. If no thread can make another one fail, each line must be as predicted.
     */
    private void compareAmongOthers(ProgramDatabase database, int index) throws SQLException {
        List<Step> steps = program.threads().get(index);
        RealWorld real = new RealWorld(database);
        Interpreter interpreter = new Interpreter(real, numbers);
        Model model = new Model(program, new Interrupts());
        Interpreter predicting = new Interpreter(model, numbers);
        for (Step step : steps) {
            Map<String, String> before = model.rows();
            int predicted = predicting.log().size();
            int done = interpreter.log().size();
            predicting.runOutside(step);
            interpreter.runOutside(step);
            Thread.interrupted(); // as planned by the program
            String expected = last(predicting.log());
            String actual = last(interpreter.log());
            Map<String, String> rows = rows(database);
            Map<String, String> after = model.rows();
            List<String> lines =
                    interpreter.log().subList(done, interpreter.log().size());
            boolean asExpected = program.isCertain()
                    ? difference(predicting.log(), interpreter.log()) < 0
                    : Failures.matches(expected, actual)
                            && hooks(predicting.log(), predicted).equals(hooks(interpreter.log(), done));
            // If several hooks fail, the outcome shows only the first failure, so all lines of the step count.
            boolean excused = !program.isCertain() && lines.stream().anyMatch(this::isExcused);
            boolean right = (asExpected && rows.equals(after))
                    || (excused && model.mayLeave(rows, before, isCommitted(actual)));
            if (!right) {
                failures.add("thread " + index + "\nbefore   " + before + "\nexpected " + after + "\n"
                        + String.join(
                                "\n",
                                predicting
                                        .log()
                                        .subList(predicted, predicting.log().size()))
                        + "\nbut was  " + rows + "\n"
                        + String.join(
                                "\n",
                                interpreter
                                        .log()
                                        .subList(done, interpreter.log().size())));
                return;
            }
            model.become(rows);
            stepsDone.incrementAndGet();
        }
    }

    /**
     * Reads the rows, again after an interrupt. Only a database in memory is read through the engine, whose connections
     * nothing else breaks.
     */
    private Map<String, String> rows(ProgramDatabase database) throws SQLException {
        while (true) {
            try {
                return database.rows();
            } catch (SQLException e) {
                if (!isExcused(": " + Failures.describe(e))) {
                    throw e;
                }
                Thread.interrupted();
            }
        }
    }

    /** The hooks that have run since a line of the log. */
    private static List<String> hooks(List<String> log, int from) {
        return log.subList(from, log.size()).stream()
                .filter(line -> line.endsWith(" runs"))
                .toList();
    }

    private static String last(List<String> log) {
        return log.get(log.size() - 1);
    }

    /** Whether other threads may have caused a failure. */
    private boolean isExcused(String outcome) {
        boolean conflicts = server.isPostgres() && !program.relaxed();
        boolean waits = server.isPostgres() && !program.hasAmpleConnections();
        return (conflicts && outcome.contains(Failures.CONFLICT))
                || (waits && outcome.contains(Failures.POOL))
                || program.chaos().stream().anyMatch(kind -> mayBreak(kind, outcome));
    }

    private static boolean mayBreak(Kind strike, String outcome) {
        return switch (strike) {
            case EVICT -> !outcome.endsWith(": ok"); // an eviction makes running work fail in many ways
            case KILL -> outcome.contains(Failures.LOST);
            default -> outcome.contains(Failures.INTERRUPTED) || outcome.contains(Failures.CONFLICT);
        };
    }

    /** Whether the outermost transaction of a failed step was committed despite the failure; {@code null} if unknown. */
    private static @Nullable Boolean isCommitted(String outcome) {
        if (outcome.endsWith(": ok") || outcome.contains(": " + Failures.AFTER_COMMIT)) {
            return true;
        }
        boolean unknown = outcome.contains(Failures.LOST) || outcome.contains(Failures.CLOSED);
        return unknown ? null : Boolean.FALSE;
    }

    /** Disturbs all threads, again after every few steps. */
    private void strike(ProgramDatabase database) throws SQLException {
        int strikes = 0;
        List<Thread> others = threads.stream()
                .filter(thread -> !thread.getName().endsWith("chaos"))
                .toList();
        for (Kind kind : program.chaos()) {
            strikes++;
            int enough = strikes * program.threads().size();
            while (stepsDone.get() < enough) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
            }
            database.strike(kind, others);
        }
    }
}
