package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.ConnectionUnderTest;
import dev.oneengine.acceptance.EngineUnderTest;
import dev.oneengine.acceptance.glue.ThreadWatch.Standing;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * Threads that read and then write in one transaction. Each has its own connection, and all begin each transaction at the same
 * moment. Thread-safe.
 */
final class Writers {
    private final Object opening = new Object();
    private final Phaser rounds;
    private final AtomicIntegerArray lastRead;
    private volatile List<Worker<Boolean>> workers = List.of();

    Writers(int size) {
        rounds = new Phaser(size);
        lastRead = new AtomicIntegerArray(size);
    }

    /**
     * Runs all writers.
     *
     * @param meet whether each thread writes only after the others have read or are waiting for their turn. Writers that do not
     *     wait for each other then certainly conflict
     */
    List<Worker<Boolean>> run(Crew crew, EngineUnderTest engine, int times, boolean meet) {
        return crew.race(lastRead.length(), all -> workers = all, index -> {
            try {
                ConnectionUnderTest connection = open(engine);
                try {
                    for (int round = 1; round <= times; round++) {
                        rounds.awaitAdvanceInterruptibly(rounds.arrive(), Poll.LIMIT.toSeconds(), TimeUnit.SECONDS);
                        transaction(connection, index, round, meet);
                    }
                } finally {
                    connection.close();
                }
                return true;
            } finally {
                rounds.arriveAndDeregister();
            }
        });
    }

    /**
     * Opens one connection at a time. HikariCP 7.1.0 sometimes forgets a thread that waits for a new connection if another thread
     * takes that connection. Here, no thread returns a connection before all threads have one.
     */
    private ConnectionUnderTest open(EngineUnderTest engine) throws Exception {
        synchronized (opening) {
            return engine.connect();
        }
    }

    private void transaction(ConnectionUnderTest connection, int index, int round, boolean meet) throws Exception {
        connection.begin();
        int number = Items.all(connection).size();
        lastRead.set(index, round);
        if (meet) {
            workers.forEach(Worker::lookAnew);
            Poll.until(() -> "the other writers have not arrived and do not wait: " + workers, () -> allHaveMet(round));
        }
        Items.add(connection, "item " + index + "-" + round + " after " + number);
        connection.commit();
    }

    private boolean allHaveMet(int round) {
        // Looks at all of them every time, because it takes several looks to find that a thread waits.
        return IntStream.range(0, workers.size())
                        .filter(i -> lastRead.get(i) < round)
                        .mapToObj(workers::get)
                        .filter(writer -> !writer.isDone() && !writer.look().isAtLeast(Standing.IN_NATIVE_METHOD))
                        .count()
                == 0;
    }
}
