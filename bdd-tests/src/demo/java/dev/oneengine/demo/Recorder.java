package dev.oneengine.demo;

import dev.oneengine.demo.Event.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Records the steps of threads in the order in which they report them. Thread-safe. */
final class Recorder {
    private final List<Event> events = Collections.synchronizedList(new ArrayList<>());

    void record(Lane lane, Kind kind, int engine, String text) {
        events.add(new Event(lane, kind, engine, text));
    }

    /** Returns the steps so far. */
    List<Event> events() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }
}
