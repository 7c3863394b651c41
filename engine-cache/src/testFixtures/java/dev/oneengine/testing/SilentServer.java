package dev.oneengine.testing;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that accepts connections, may send a few bytes, and then stays silent. Thread-safe. */
public final class SilentServer extends LocalServer {
    private final AtomicInteger accepted = new AtomicInteger();
    private final byte[] greeting;

    private SilentServer(byte[] greeting) throws IOException {
        this.greeting = greeting;
    }

    /** Starts a server that sends these bytes on each connection. */
    public static SilentServer saying(byte... greeting) throws IOException {
        SilentServer server = new SilentServer(greeting.clone());
        server.open();
        return server;
    }

    /** Returns the number of connections accepted so far. */
    public int accepted() {
        return accepted.get();
    }

    @Override
    void serve(Socket client) throws IOException {
        client.getOutputStream().write(greeting);
        accepted.incrementAndGet();
    }
}
