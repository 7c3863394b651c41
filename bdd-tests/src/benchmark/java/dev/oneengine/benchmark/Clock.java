package dev.oneengine.benchmark;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** A clock for rounds. Thread-safe. */
enum Clock {
    /** Elapsed time. */
    WALL {
        @Override
        long nanos() {
            return System.nanoTime();
        }
    },
    /** The processor time of the calling thread, without waits for disks and servers and without garbage collection. */
    CPU {
        @Override
        long nanos() {
            return THREADS.getCurrentThreadCpuTime();
        }
    };

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    abstract long nanos();
}
