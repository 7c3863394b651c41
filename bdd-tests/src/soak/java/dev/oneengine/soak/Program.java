package dev.oneengine.soak;

import dev.oneengine.testing.Database;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The steps of all threads in one run, which starts with an empty database. Immutable and thread-safe.
 *
 * @param attempts the number of attempts for each unit of work
 * @param poolSize the connections of the engine
 * @param scripts whether Flyway creates the tables; otherwise a faster preparation does
 * @param plain whether the engine is one of the caller's, which reuses connections of SQLite's plain driver as they are
 * @param relaxed whether units on PostgreSQL run at READ COMMITTED instead of SERIALIZABLE
 * @param threads the steps of each thread; the model predicts a program of one thread exactly
 * @param chaos the disturbances of all threads meanwhile; none in a program of one thread
 */
record Program(
        Database database,
        int attempts,
        int poolSize,
        boolean scripts,
        boolean plain,
        boolean relaxed,
        List<List<Step>> threads,
        List<Kind> chaos) {
    Program {
        threads = threads.stream().map(List::copyOf).toList();
        chaos = List.copyOf(chaos);
    }

    Program with(List<List<Step>> others, List<Kind> otherChaos) {
        return new Program(database, attempts, poolSize, scripts, plain, relaxed, others, otherChaos);
    }

    boolean isSequential() {
        return threads.size() == 1;
    }

    /** Whether each thread may hold as many connections as it can use at once. */
    boolean hasAmpleConnections() {
        return poolSize >= RealWorld.TABLES * threads.size();
    }

    /** Whether no thread can fail because of the others. */
    boolean isCertain() {
        return chaos.isEmpty() && (database != Database.POSTGRESQL || (relaxed && hasAmpleConnections()));
    }

    int size() {
        return chaos.size()
                + threads.stream().flatMap(List::stream).mapToInt(Step::size).sum();
    }

    /** Numbers the steps in the order in which they are printed. Equal steps at two places are two steps. */
    IdentityHashMap<Step, Integer> numbers() {
        IdentityHashMap<Step, Integer> numbers = new IdentityHashMap<>();
        threads.forEach(steps -> number(steps, numbers));
        return numbers;
    }

    private static void number(List<Step> steps, IdentityHashMap<Step, Integer> numbers) {
        for (Step step : steps) {
            numbers.put(step, numbers.size() + 1);
            number(step.body(), numbers);
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("%s, %d attempts, %d connections, tables by %s%s%s%n"
                .formatted(
                        database,
                        attempts,
                        poolSize,
                        scripts ? "script" : "preparation",
                        plain ? ", plain driver" : "",
                        relaxed ? ", read committed" : ""));
        if (!chaos.isEmpty()) {
            text.append("meanwhile: ").append(chaos).append('\n');
        }
        IdentityHashMap<Step, Integer> numbers = numbers();
        for (int i = 0; i < threads.size(); i++) {
            if (!isSequential()) {
                text.append("thread ").append(i).append('\n');
            }
            print(threads.get(i), "", numbers, text);
        }
        return text.toString();
    }

    private static void print(
            List<Step> steps, String indent, IdentityHashMap<Step, Integer> numbers, StringBuilder text) {
        for (Step step : steps) {
            text.append("%4d  %s%s%s%s%n"
                    .formatted(
                            numbers.get(step),
                            indent,
                            step.kind(),
                            step.number() == 0 ? "" : " " + step.number(),
                            step.kind().isBlock() ? " {" : ""));
            if (step.kind().isBlock()) {
                print(step.body(), indent + "  ", numbers, text);
                text.append("      ").append(indent).append("}\n");
            }
        }
    }
}
