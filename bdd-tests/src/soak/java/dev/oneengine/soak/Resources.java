package dev.oneengine.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * The resources that this process uses at one moment. Immutable and thread-safe.
 *
 * @param heap the heap in use after a garbage collection, in megabytes
 * @param sessions the connections to the PostgreSQL server
 * @param descriptors the open files including sockets, or 0 if the system does not report them
 */
record Resources(long heap, int threads, int sessions, long descriptors) {
    private static final long MEGABYTE = 1 << 20;

    static Resources now(int sessions) {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEGABYTE;
        long descriptors = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
        return new Resources(heap, ManagementFactory.getThreadMXBean().getThreadCount(), sessions, descriptors);
    }

    /** Names the resources whose growth is more than random. */
    List<String> grownTo(Resources later) {
        List<String> grown = new ArrayList<>();
        compare("heap in MB", heap, later.heap, 8 + heap / 4, grown);
        compare("threads", threads, later.threads, 2, grown);
        compare("connections", sessions, later.sessions, 0, grown);
        compare("open files", descriptors, later.descriptors, 4, grown);
        return grown;
    }

    private static void compare(String what, long before, long after, long tolerance, List<String> grown) {
        if (after > before + tolerance) {
            grown.add(what + ": from " + before + " to " + after);
        }
    }

    @Override
    public String toString() {
        return "heap %d MB, %d threads, %d connections, %d open files".formatted(heap, threads, sessions, descriptors);
    }
}
