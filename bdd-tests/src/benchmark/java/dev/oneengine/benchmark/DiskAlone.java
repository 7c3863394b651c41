package dev.oneengine.benchmark;

import dev.oneengine.benchmark.Way.Check;
import dev.oneengine.benchmark.Way.Tally;
import dev.oneengine.benchmark.Way.Work;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What an order in a file costs without any database: SQLite's log gets two frames, each a header and a page, and one {@code fsync}. So
 * this is the limit for every library that keeps SQLite's durability. Like SQLite's log, the file is overwritten and does not grow.
 * Confined to its thread.
 */
final class DiskAlone implements Work, Check, AutoCloseable {
    private static final int HEADER = 24;
    private static final int PAGE = 4096;
    private static final int FRAMES = 2;

    /** About the length of the log between two checkpoints. */
    private static final int ORDERS_IN_FILE = 500;

    private final FileChannel file;
    private final ByteBuffer header = ByteBuffer.allocateDirect(HEADER);
    private final ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
    private long orders;

    private DiskAlone(FileChannel file) {
        this.file = file;
    }

    static Way way(Databases databases) throws IOException {
        Path path = databases.directory().resolve("disk-alone");
        DiskAlone disk = databases.closing(new DiskAlone(FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)));
        for (int i = 0; i < ORDERS_IN_FILE; i++) {
            disk.run();
        }
        disk.orders = 0;
        return new Way("the disk alone", disk, disk);
    }

    @Override
    public long run() throws IOException {
        long position = position(orders);
        orders++;
        for (int i = 0; i < FRAMES; i++) {
            position += file.write(header.clear().putLong(0, orders), position);
            position += file.write(page.clear(), position);
        }
        file.force(true);
        return 1;
    }

    private static long position(long order) {
        return order % ORDERS_IN_FILE * FRAMES * (HEADER + PAGE);
    }

    @Override
    public void check(Tally tally) throws IOException {
        file.read(header.clear(), position(orders - 1));
        tally.expect("the file", header.getLong(0));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
