package dev.oneengine.acceptance.driver;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The calls of a driver without an answer yet, and the names of the driver's threads that run them. Thread-safe. */
final class PendingCalls {
    private final Map<Thread, Call> calls = new ConcurrentHashMap<>();
    private final Map<String, Thread> names = new LinkedHashMap<>();

    /** A call, and the driver's thread that runs it. */
    private record Call(String driverThread, Map<String, Object> message) {}

    /** Returns the name of the driver's thread for a thread. No two threads share one, not even one after the other. */
    String nameOf(Thread thread) {
        synchronized (names) {
            String name = thread.getName();
            for (int i = 2; names.getOrDefault(name, thread) != thread; i++) {
                name = thread.getName() + " (" + i + ")";
            }
            names.put(name, thread);
            return name;
        }
    }

    void begin(Thread caller, String driverThread, Map<String, Object> message) {
        calls.put(caller, new Call(driverThread, message));
    }

    void end(Thread caller) {
        calls.remove(caller);
    }

    boolean isEmpty() {
        return calls.isEmpty();
    }

    /** Returns the driver's thread that runs the call of a thread, if there is one. */
    Optional<String> driverThread(Thread caller) {
        return Optional.ofNullable(calls.get(caller)).map(Call::driverThread);
    }

    /** Returns the thread whose call the driver's thread runs, if there is one. */
    Optional<Thread> caller(String driverThread) {
        return calls.entrySet().stream()
                .filter(call -> call.getValue().driverThread().equals(driverThread))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Returns the messages of the calls. */
    List<String> messages() {
        return calls.values().stream().map(call -> Json.write(call.message())).toList();
    }
}
