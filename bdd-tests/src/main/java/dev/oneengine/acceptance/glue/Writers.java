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
 * Threads that read and then write in one transaction, on a connection each, and begin each transaction at the same moment.
 * Thread-safe.
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
     * Runs them all.
     *
     * @param meet whether nobody writes before the others have read, or are seen waiting for their turn: writers that do not wait
     *     for each other are then certain to be in each other's way
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
     * Opens one connection at a time. HikariCP (7.1.0) forgets now and then that a thread waits for a new connection, if another
     * one comes meanwhile and takes that; here nobody gives one back before all have theirs.
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
            Poll.until(() -> "the other writers neither come nor wait: " + workers, () -> allHaveMet(round));
        }
        Items.add(connection, "item " + index + "-" + round + " after " + number);
        connection.commit();
    }

    private boolean allHaveMet(int round) {
        // Looks at each of them every time.
        return IntStream.range(0, workers.size())
                        .filter(i -> lastRead.get(i) < round)
                        .mapToObj(workers::get)
                        .filter(writer -> !writer.isDone() && !writer.look().isAtLeast(Standing.IN_NATIVE_METHOD))
                        .count()
                == 0;
    }
}
