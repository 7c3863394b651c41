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
 * Where the engine of one database is created. If a scenario wants a race, the threads that come here are let go on in an
 * order that makes always the same of it: the first when all who race for the engine have either come here as well, are seen
 * waiting, or are done; each other one when those before it are done with all of their work. So whatever a cache lets happen,
 * does happen. Thread-safe.
 */
final class CreationGate {
    /** What an attempt fails with. */
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

    /** Lets the next attempts fail. */
    void failNext(int attempts) {
        failures.set(attempts);
    }

    /** Lets nobody go on until {@link #release}. */
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

    /** Lets everybody go on from now on, when the scenario is over. */
    void open() {
        open = true;
    }

    /** Says who races for the engine of this database. */
    void expect(List<? extends Worker<?>> expected) {
        ordered = true;
        racers = expected;
        callers.addAll(expected);
    }

    /** Says who asks for the engine of this database. */
    void expect(Worker<?> caller) {
        callers.add(caller);
    }

    /** How many engines somebody has begun to create. */
    int visits() {
        return visits.size();
    }

    boolean isInside(Worker<?> worker) {
        return inside.contains(worker.thread());
    }

    boolean isAnybodyInside() {
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
     * @param creator the thread that creates the engine, or for whose call another one does
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
     * The thread of the scenario that waits for a creation. A cache may create engines on threads of its own; then it is one of
     * the callers, and which one makes no difference to them.
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
        // Looks at each of them every time: a look is part of what tells that a thread waits.
        return racers.stream().filter(this::isOnItsWay).count() == 0;
    }

    private boolean isOnItsWay(Worker<?> racer) {
        return !racer.isDone() && !isInside(racer) && !racer.isWaiting();
    }

    /** A thread that is stuck after its creation may wait for one that is held here. One that is here again has retried. */
    private boolean isOver(Visit visit) {
        @Nullable Worker<?> worker = crew.of(visit.thread);
        return worker == null
                || worker.isDone()
                || (visit.ended && (isInside(worker) || worker.look().isAtLeast(Standing.STUCK)));
    }
}
