package dev.oneengine.work;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;

/**
 * Streams of a database, such as those of a large object. They belong to their unit's thread and end with the unit. What was
 * written to one that is left open is sent before the commit. Confined to the unit's thread.
 */
final class Streams {
    private Streams() {}

    /** What a stream does. */
    @FunctionalInterface
    interface Action<T> {
        T run() throws IOException;
    }

    /** A stream that may hold what is not written yet. */
    interface Pending extends Closeable {
        /** The part of the unit in which it was opened. */
        Level level();
    }

    /** Returns anything but a stream as it is. */
    static Object guarded(Object result, Guard guard) {
        if (result instanceof InputStream in) {
            return new Input(in, guard);
        }
        if (result instanceof Reader in) {
            return new Characters(in, guard);
        }
        if (result instanceof OutputStream out) {
            return guard.opened(new Output(out, guard));
        }
        return result instanceof Writer out ? guard.opened(new Text(out, guard)) : result;
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
            return guard.talk(in::read);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return guard.talk(() -> in.read(bytes, offset, length));
        }

        @Override
        public long skip(long count) throws IOException {
            return guard.talk(() -> in.skip(count));
        }

        @Override
        public int available() throws IOException {
            return guard.talk(in::available);
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
            return guard.talk(() -> in.read(chars, offset, length));
        }

        @Override
        public boolean ready() throws IOException {
            return guard.talk(in::ready);
        }

        @Override
        public void close() throws IOException {
            guard.close(in);
        }
    }

    private static final class Output extends OutputStream implements Pending {
        private final OutputStream out;
        private final Guard guard;
        private final Level level;

        Output(OutputStream out, Guard guard) {
            this.out = out;
            this.guard = guard;
            this.level = guard.level();
        }

        @Override
        public Level level() {
            return level;
        }

        @Override
        public void write(int value) throws IOException {
            guard.talk(() -> {
                out.write(value);
                return true;
            });
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            guard.talk(() -> {
                out.write(bytes, offset, length);
                return true;
            });
        }

        @Override
        public void flush() throws IOException {
            guard.talk(() -> {
                out.flush();
                return true;
            });
        }

        @Override
        public void close() throws IOException {
            guard.closed(this);
            guard.close(out);
        }
    }

    private static final class Text extends Writer implements Pending {
        private final Writer out;
        private final Guard guard;
        private final Level level;

        Text(Writer out, Guard guard) {
            this.out = out;
            this.guard = guard;
            this.level = guard.level();
        }

        @Override
        public Level level() {
            return level;
        }

        @Override
        public void write(char[] chars, int offset, int length) throws IOException {
            guard.talk(() -> {
                out.write(chars, offset, length);
                return true;
            });
        }

        @Override
        public void flush() throws IOException {
            guard.talk(() -> {
                out.flush();
                return true;
            });
        }

        @Override
        public void close() throws IOException {
            guard.closed(this);
            guard.close(out);
        }
    }
}
