package dev.oneengine.work;

import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;

/**
 * The streams that participants get, such as those of a large object. They end with the unit. If a stream is left open, its data is sent
 * before the commit. Confined to the unit's thread.
 */
final class GuardedStreams {
    private GuardedStreams() {}

    /** Guards a stream. Returns any other object as it is. */
    static Object guard(Object result, Guard guard) {
        if (result instanceof InputStream in) {
            return new Input(in, guard);
        }
        if (result instanceof Reader in) {
            return new Characters(in, guard);
        }
        if (result instanceof OutputStream out) {
            return new Output(out, guard);
        }
        return result instanceof Writer out ? new Text(out, guard) : result;
    }

    private static final class Input extends InputStream {
        private final InputStream in;
        private final Guard guard;

        Input(InputStream in, Guard guard) {
            this.in = in;
            this.guard = guard;
        }

        @Override
        public int read() throws IOException {
            return guard.call(in::read);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return guard.call(() -> in.read(bytes, offset, length));
        }

        @Override
        public long skip(long count) throws IOException {
            return guard.call(() -> in.skip(count));
        }

        @Override
        public int available() throws IOException {
            return guard.call(in::available);
        }

        @Override
        public void close() throws IOException {
            guard.close(in);
        }
    }

    private static final class Characters extends Reader {
        private final Reader in;
        private final Guard guard;

        Characters(Reader in, Guard guard) {
            this.in = in;
            this.guard = guard;
        }

        @Override
        public int read(char[] chars, int offset, int length) throws IOException {
            return guard.call(() -> in.read(chars, offset, length));
        }

        @Override
        public boolean ready() throws IOException {
            return guard.call(in::ready);
        }

        @Override
        public void close() throws IOException {
            guard.close(in);
        }
    }

    /** The common part of streams that are written. */
    private static final class Sink<S extends Closeable & Flushable> implements PendingStream {
        private final S out;
        private final Guard guard;
        private final RollbackScope scope;

        Sink(S out, Guard guard) {
            this.out = out;
            this.guard = guard;
            this.scope = guard.scope();
            guard.opened(this);
        }

        @Override
        public RollbackScope scope() {
            return scope;
        }

        void write(Write<S> action) throws IOException {
            guard.call(() -> {
                action.to(out);
                return true;
            });
        }

        void flush() throws IOException {
            write(Flushable::flush);
        }

        @Override
        public void close() throws IOException {
            guard.closed(this);
            guard.close(out);
        }
    }

    /** A call without a result. */
    @FunctionalInterface
    private interface Write<S> {
        void to(S out) throws IOException;
    }

    private static final class Output extends OutputStream {
        private final Sink<OutputStream> sink;

        Output(OutputStream out, Guard guard) {
            this.sink = new Sink<>(out, guard);
        }

        @Override
        public void write(int value) throws IOException {
            sink.write(out -> out.write(value));
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            sink.write(out -> out.write(bytes, offset, length));
        }

        @Override
        public void flush() throws IOException {
            sink.flush();
        }

        @Override
        public void close() throws IOException {
            sink.close();
        }
    }

    private static final class Text extends Writer {
        private final Sink<Writer> sink;

        Text(Writer out, Guard guard) {
            this.sink = new Sink<>(out, guard);
        }

        @Override
        public void write(char[] chars, int offset, int length) throws IOException {
            sink.write(out -> out.write(chars, offset, length));
        }

        @Override
        public void flush() throws IOException {
            sink.flush();
        }

        @Override
        public void close() throws IOException {
            sink.close();
        }
    }
}
