package dev.oneengine.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An open file of {@link FaultyFiles}. Thread-safe. */
final class FaultyChannel extends FileChannel {
    private final Path path;
    private final FileChannel real;

    FaultyChannel(Path path, FileChannel real) {
        this.path = path;
        this.real = real;
    }

    /** A lock whose {@code channel} is this object. */
    private final class Lock extends FileLock {
        private final FileLock real;

        Lock(FileLock real) {
            super(FaultyChannel.this, real.position(), real.size(), real.isShared());
            this.real = real;
        }

        @Override
        public boolean isValid() {
            return real.isValid();
        }

        @Override
        public void release() throws IOException {
            FaultyFiles.call("release");
            real.release();
        }
    }

    @Override
    public int read(ByteBuffer buffer) throws IOException {
        FaultyFiles.call("read");
        return real.read(buffer);
    }

    @Override
    public long read(ByteBuffer[] buffers, int offset, int length) throws IOException {
        FaultyFiles.call("read");
        return real.read(buffers, offset, length);
    }

    @Override
    public int read(ByteBuffer buffer, long position) throws IOException {
        FaultyFiles.call("read");
        return real.read(buffer, position);
    }

    @Override
    public int write(ByteBuffer buffer) throws IOException {
        FaultyFiles.call("write");
        return real.write(buffer);
    }

    @Override
    public long write(ByteBuffer[] buffers, int offset, int length) throws IOException {
        FaultyFiles.call("write");
        return real.write(buffers, offset, length);
    }

    @Override
    public int write(ByteBuffer buffer, long position) throws IOException {
        FaultyFiles.call("write");
        return real.write(buffer, position);
    }

    @Override
    public long position() throws IOException {
        return real.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        real.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        FaultyFiles.call("size");
        return real.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        FaultyFiles.call("truncate");
        real.truncate(size);
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        FaultyFiles.call("force");
        real.force(metaData);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        FaultyFiles.call("transferTo");
        return real.transferTo(position, count, target instanceof FaultyChannel faulty ? faulty.real : target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        FaultyFiles.call("transferFrom");
        return real.transferFrom(source instanceof FaultyChannel faulty ? faulty.real : source, position, count);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
        FaultyFiles.call("map");
        return real.map(mode, position, size);
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        FaultyFiles.call("lock");
        return new Lock(real.lock(position, size, shared));
    }

    @Override
    public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
        FaultyFiles.call("tryLock");
        FileLock lock = real.tryLock(position, size, shared);
        return lock == null ? null : new Lock(lock);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        real.close();
        FaultyFiles.closed(this);
    }

    Path path() {
        return path;
    }
}
