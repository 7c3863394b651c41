package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.glue.Story.Kind;
import dev.oneengine.acceptance.glue.ThreadWatch.Standing;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Holds the threads that create the engine of one database. If a scenario requires a race, the gate releases the threads in a
 * fixed order. The first thread goes on when all other racers have arrived here, are waiting, or are done. Each later thread goes
 * on when the threads before it have done all their work. So a race that the cache permits always happens. Thread-safe.
 */
final class CreationGate {
    /** The message of an attempt that must fail. */
    static final String FAILURE = "the disk of the acceptance kit is full";

    private final Crew crew;
    private final Story story;
    private final String database;
    private final Object lock = new Object();
    private final List<Visit> visits = new CopyOnWriteArrayList<>(); // added to under the lock
    private final Set<Thread> inside = ConcurrentHashMap.newKeySet();
    private final AtomicInteger failures = new AtomicInteger();
    private final List<Worker<?>> callers = new CopyOnWriteArrayList<>();
    private volatile List<? extends Worker<?>> racers = List.of();
    private volatile boolean ordered;
    private volatile boolean held;
    private volatile boolean open;

    CreationGate(Crew crew, Story story, String database) {
        this.crew = crew;
        this.story = story;
        this.database = database;
    }

    /** Makes the next attempts fail. */
    void failNext(int attempts) {
        failures.set(attempts);
    }

    /** Holds all threads until {@link #release}. */
    void hold() {
        ordered = true;
        held = true;
    }

    void release() {
        held = false;
    }

    boolean isHeld() {
        return held;
    }

    /** Holds no thread from now on, because the scenario is over. */
    void open() {
        open = true;
    }

    /** Sets the threads that race for the engine of this database. */
    void expect(List<? extends Worker<?>> expected) {
        ordered = true;
        racers = expected;
        callers.addAll(expected);
    }

    /** Adds a thread that asks for the engine of this database. */
    void expect(Worker<?> caller) {
        callers.add(caller);
    }

    /** Returns the number of creations that have begun. */
    int visits() {
        return visits.size();
    }

    boolean isInside(Worker<?> worker) {
        return inside.contains(worker.thread());
    }

    boolean isAnyThreadInside() {
        return !inside.isEmpty();
    }

    /** One creation. A thread that retries visits again. */
    private static final class Visit {
        final Thread thread;
        private volatile boolean ended;

        Visit(Thread thread) {
            this.thread = thread;
        }

        @Override
        public String toString() {
            return thread.toString();
        }
    }

    /**
     * Holds a creation until its turn.
     *
     * @param creator the thread that creates the engine, or whose call causes another thread to create it
     */
    void visit(Thread creator) throws SQLException {
        Visit visit = new Visit(caller(creator));
        inside.add(visit.thread);
        story.add(visit.thread, Kind.CREATE, "begins to create an engine of \"" + database + '"');
        try {
            List<Visit> earlier = enter(visit);
            Poll.until(() -> "a creation cannot go on; earlier ones are by " + earlier, () -> mayGoOn(earlier));
        } finally {
            visit.ended = true;
            inside.remove(visit.thread);
        }
        if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            story.add(visit.thread, Kind.FAIL, "fails to create it, as the scenario demands");
            throw new SQLException(FAILURE);
        }
        story.add(visit.thread, Kind.RETURN, "goes on to create it");
    }

    /**
     * Returns the thread of the scenario that waits for a creation. If the cache creates engines on its own threads, this returns
     * any of the callers, because all of them wait alike.
     */
    private Thread caller(Thread creator) {
        return crew.of(creator) != null
                ? creator
                : callers.stream()
                        .filter(worker -> !worker.isDone() && !hasVisited(worker))
                        .findFirst()
                        .map(Worker::thread)
                        .orElse(creator);
    }

    private boolean hasVisited(Worker<?> worker) {
        return visits.stream().anyMatch(visit -> visit.thread == worker.thread());
    }

    /** Returns the visits before this one. */
    private List<Visit> enter(Visit visit) {
        synchronized (lock) {
            List<Visit> earlier = List.copyOf(visits);
            visits.add(visit);
            return earlier;
        }
    }

    private boolean mayGoOn(List<Visit> earlier) {
        return open
                || (!held && allHaveSettled() && (!ordered || earlier.stream().allMatch(this::isOver)));
    }

    private boolean allHaveSettled() {
        // Looks at all threads every time, because only several looks can show that a thread waits.
        return racers.stream().filter(this::isOnItsWay).count() == 0;
    }

    private boolean isOnItsWay(Worker<?> racer) {
        return !racer.isDone() && !isInside(racer) && !racer.isWaiting();
    }

    /**
     * Whether the gate must not wait for a creation any longer. A thread that is stuck after its creation may itself wait for a thread
     * at this gate. A thread that is at the gate again has retried.
     */
    private boolean isOver(Visit visit) {
        @Nullable Worker<?> worker = crew.of(visit.thread);
        return worker == null
                || worker.isDone()
                || (visit.ended && (isInside(worker) || worker.look().isAtLeast(Standing.STUCK)));
    }
}
