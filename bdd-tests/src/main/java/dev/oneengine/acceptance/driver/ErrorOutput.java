package dev.oneengine.acceptance.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Keeps the last lines that a driver writes to its standard error. Thread-safe. */
final class ErrorOutput {
    private static final int LINES_KEPT = 40;

    private final Deque<String> lines = new ArrayDeque<>();
    private final Thread reader;

    /** Reads until the process ends. */
    ErrorOutput(Process process) {
        reader = DaemonThread.start("errors of a driver", () -> read(process));
    }

    private void read(Process process) {
        try (BufferedReader output = process.errorReader()) {
            String line;
            while ((line = DriverLines.read(output)) != null) {
                synchronized (lines) {
                    lines.addLast(DriverLines.shortened(line));
                    if (lines.size() > LINES_KEPT) {
                        lines.removeFirst();
                    }
                }
            }
        } catch (IOException e) {
            return; // no more output follows
        }
    }

    /** Waits for the end of the output, which follows soon after the end of the process. */
    void awaitEnd() {
        try {
            reader.join(1000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    List<String> lastLines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }
}
