package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.Identity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The steps of a scenario's threads, in the order in which the kit observed them. Thread-safe. */
final class Story {
    /** A kind of event, with its mark in a drawing. */
    enum Kind {
        /** A thread calls the implementation. */
        CALL('>'),
        /** A thread begins to create an engine. */
        CREATE('*'),
        /** A thread is seen waiting. */
        WAIT('~'),
        /** A call returns. */
        RETURN('<'),
        /** A call fails. */
        FAIL('x');

        private final char mark;

        Kind(char mark) {
            this.mark = mark;
        }

        char mark() {
            return mark;
        }
    }

    /** One event of a thread. Immutable. */
    record Event(String thread, Kind kind, String text) {}

    private static final int LONGEST = 160;

    private final List<Event> events = Collections.synchronizedList(new ArrayList<>());
    private final Map<Identity, Integer> engines = Collections.synchronizedMap(new LinkedHashMap<>());

    void add(Thread thread, Kind kind, String text) {
        String shown = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
        events.add(new Event(thread.getName(), kind, shown));
    }

    private void add(Kind kind, String text) {
        add(Thread.currentThread(), kind, text);
    }

    /** Describes the result of a call. */
    interface Answer<T extends @Nullable Object> {
        String text(T result);
    }

    /** Makes a call and records it. */
    <T extends @Nullable Object> T call(String text, Callable<T> call, Answer<T> answer) throws Exception {
        add(Kind.CALL, text);
        try {
            T result = call.call();
            add(Kind.RETURN, answer.text(result));
            return result;
        } catch (Throwable t) {
            add(Kind.FAIL, "fails: " + firstLine(t));
            throw t;
        }
    }

    /** Makes a call without a result and records it. */
    void call(String text, Action call, String answer) throws Exception {
        call(
                text,
                () -> {
                    call.run();
                    return true;
                },
                result -> answer);
    }

    /** A call without a result. */
    interface Action {
        void run() throws Exception;
    }

    /** Returns the short name of a thread. */
    static String name(String thread) {
        return thread.length() <= 2 ? "thread " + thread : thread;
    }

    private static String firstLine(Throwable t) {
        return String.valueOf(t.getMessage()).lines().findFirst().orElse("");
    }

    /** Names an engine by the order in which the scenario first saw it. */
    String engine(Identity identity) {
        synchronized (engines) {
            return "engine " + engines.computeIfAbsent(identity, any -> engines.size() + 1);
        }
    }

    List<Event> events() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }
}
