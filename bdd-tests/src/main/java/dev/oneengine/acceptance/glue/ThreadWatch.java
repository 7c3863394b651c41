package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.RemoteThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Watches one thread, and distinguishes a waiting thread from one that is about to go on. Thread-safe. */
final class ThreadWatch {
    /** The number of looks that must find a thread at the same place before it counts as waiting there. */
    private static final int LOOKS = 5;

    private static final Duration A_MOMENT = Duration.ofMillis(40);

    /** Much longer than any wait that the scenario does not cause. */
    private static final Duration LONG = Duration.ofSeconds(3);

    /** Longer than any thread waits while all others wait as well. */
    static final Duration FOR_EVER = Duration.ofSeconds(5);

    /** How long a thread has stayed at its present place. Each constant includes the ones before it. */
    enum Standing {
        /** The thread runs, or has only just reached this place. */
        RUNS,
        /** The thread has been in one native method for a moment, for example to wait for the lock of a database. */
        IN_NATIVE_METHOD,
        /** The thread has waited for a moment. */
        WAITS,
        /** The thread has waited so long that it must wait for something that the scenario holds back. */
        STUCK,
        /** The thread has waited so long, without a time limit, that it waits for ever if no other thread runs. */
        HANGS;

        boolean isAtLeast(Standing other) {
            return compareTo(other) >= 0;
        }
    }

    /** The result of a single look. */
    private record Sight(Standing standing, boolean limited, List<?> place) {
        static final Sight RUNNING = new Sight(Standing.RUNS, false, List.of());
    }

    private static final String GLUE = ThreadWatch.class.getPackageName() + ".";
    private static final Pattern LIBRARY = Pattern.compile("(java|jdk|sun|javax)\\.");

    private final Thread thread;
    private final Function<Thread, Optional<RemoteThread>> remote;
    private final Object lock = new Object();

    // Guarded by the lock: the last observation, the time since which it has not changed, and the number of equal
    // observations.
    private Sight last = Sight.RUNNING;
    private long since;
    private int looks;

    /**
     * Watches a thread.
     *
     * @param remote finds the thread outside this JVM that runs a call of the thread
     */
    ThreadWatch(Thread thread, Function<Thread, Optional<RemoteThread>> remote) {
        this.thread = thread;
        this.remote = remote;
    }

    /** Looks at the thread. Only several looks can show that the thread waits. */
    Standing look() {
        Sight sight = sight();
        synchronized (lock) {
            if (sight.standing == Standing.RUNS || !sight.equals(last)) {
                last = sight;
                since = System.nanoTime();
                looks = 0;
                return Standing.RUNS;
            }
            looks++;
            Duration time = Duration.ofNanos(System.nanoTime() - since);
            if (looks < LOOKS || time.compareTo(A_MOMENT) < 0) {
                return Standing.RUNS;
            }
            if (sight.standing == Standing.IN_NATIVE_METHOD || time.compareTo(LONG) < 0) {
                return sight.standing;
            }
            return time.compareTo(FOR_EVER) < 0 || sight.limited ? Standing.STUCK : Standing.HANGS;
        }
    }

    private Sight sight() {
        Optional<RemoteThread> elsewhere = remote.apply(thread);
        if (elsewhere.isPresent()) {
            RemoteThread there = elsewhere.get();
            return there.waits() ? new Sight(Standing.WAITS, false, List.of(there.place())) : Sight.RUNNING;
        }
        Thread.State state = thread.getState();
        StackTraceElement[] stack = thread.getStackTrace();
        boolean loads =
                Arrays.stream(stack).anyMatch(element -> element.getClassName().equals(ClassLoader.class.getName()));
        if (loads) {
            return Sight.RUNNING;
        }
        boolean limited = state == Thread.State.TIMED_WAITING;
        if (limited || state == Thread.State.WAITING || state == Thread.State.BLOCKED) {
            return new Sight(Standing.WAITS, limited, List.of(stack));
        }
        return stack.length > 0 && stack[0].isNativeMethod()
                ? new Sight(Standing.IN_NATIVE_METHOD, true, List.of(stack))
                : Sight.RUNNING;
    }

    /** Returns the last seen place of the thread in the code of the implementation; empty if it waits in the kit itself. */
    Optional<String> place() {
        List<?> place;
        synchronized (lock) {
            place = last.place;
        }
        return place.stream()
                .filter(frame -> !(frame instanceof StackTraceElement element
                        && LIBRARY.matcher(element.getClassName()).lookingAt()))
                .findFirst()
                .filter(frame -> !(frame instanceof StackTraceElement element
                        && element.getClassName().startsWith(GLUE)))
                .map(frame -> frame instanceof StackTraceElement element ? shown(element) : frame.toString());
    }

    private static String shown(StackTraceElement frame) {
        String type = frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1);
        return type + "." + frame.getMethodName() + " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")";
    }

    /** Discards all earlier observations. */
    void lookAnew() {
        synchronized (lock) {
            last = Sight.RUNNING;
        }
    }

    /** Whether this thread waits for a lock that the other thread holds, or is stuck for any reason. */
    boolean isBlockedBy(Thread other, Standing standing) {
        // Requires a wait of some length, because the other thread may be about to release the lock.
        return (standing.isAtLeast(Standing.WAITS) && isOwnedBy(other)) || standing.isAtLeast(Standing.STUCK);
    }

    private boolean isOwnedBy(Thread other) {
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
        return info != null && info.getLockOwnerId() == other.getId();
    }
}
