package dev.oneengine.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that accepts connections, may send a few bytes, and then stays silent. Thread-safe. */
public final class SilentServer implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Closeable> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final byte[] greeting;

    private SilentServer(byte[] greeting) throws IOException {
        this.greeting = greeting;
        sockets.add(server);
        Thread thread = new Thread(this::accept, "silent-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Starts a server that sends these bytes on each connection. */
    public static SilentServer saying(byte... greeting) throws IOException {
        return new SilentServer(greeting.clone());
    }

    /** Returns the port of the server. */
    public int port() {
        return server.getLocalPort();
    }

    /** Returns the number of connections accepted so far. */
    public int accepted() {
        return accepted.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                sockets.add(client);
                client.getOutputStream().write(greeting);
                accepted.incrementAndGet();
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    @Override
    public void close() throws IOException {
        for (Closeable socket : sockets) {
            socket.close();
        }
    }
}
