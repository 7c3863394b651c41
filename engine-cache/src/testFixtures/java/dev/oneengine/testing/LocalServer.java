package dev.oneengine.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server of this JVM. Closes its connections with itself. Thread-safe. */
abstract class LocalServer implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Closeable> sockets = new CopyOnWriteArrayList<>(List.of(server));

    LocalServer() throws IOException {}

    /** Serves one client, in a separate thread. */
    abstract void serve(Socket client) throws IOException, InterruptedException;

    /** Accepts clients. */
    final void open() {
        start(() -> {
            while (!server.isClosed()) {
                Socket client = server.accept();
                sockets.add(client);
                start(() -> serve(client));
            }
        });
    }

    /** Connects to another server of this machine. */
    final Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(socket);
        return socket;
    }

    /** Starts a daemon thread. It ends when a socket fails, because either side may close it. */
    final void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // Closed by either side.
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                getClass().getSimpleName());
        thread.setDaemon(true);
        thread.start();
    }

    @FunctionalInterface
    interface Task {
        void run() throws IOException, InterruptedException;
    }

    /** Returns the port of the server. */
    public final int port() {
        return server.getLocalPort();
    }

    /** Returns the same URL, through a proxy on a port of this machine. */
    static String url(URI target, int port) {
        return target.toString().replace(":" + target.getPort() + "/", ":" + port + "/");
    }

    @Override
    public final void close() throws IOException {
        for (Closeable socket : sockets) {
            socket.close();
        }
    }
}
