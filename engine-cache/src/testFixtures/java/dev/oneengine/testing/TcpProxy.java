package dev.oneengine.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A TCP proxy in front of a server of this machine. It can go silent like a server whose machine died: connections stay open,
 * and no more bytes pass. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {
    private final URI target;
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Closeable> sockets = new CopyOnWriteArrayList<>();
    private final List<Link> links = new CopyOnWriteArrayList<>();

    private TcpProxy(URI target) throws IOException {
        this.target = target;
        sockets.add(server);
        start(this::accept);
    }

    /** Starts a proxy in front of the server of a URL. */
    public static TcpProxy before(String url) throws IOException {
        return new TcpProxy(URI.create(url));
    }

    /** The same URL, through this proxy. */
    public String url() {
        return target.toString().replace(":" + target.getPort() + "/", ":" + server.getLocalPort() + "/");
    }

    /** Drops all further bytes of the connections that are open now. Later connections work. */
    public void silenceOpenConnections() {
        links.forEach(link -> link.silent = true);
    }

    private void accept() throws IOException {
        while (!server.isClosed()) {
            Socket client = server.accept();
            sockets.add(client);
            Socket backend = new Socket(InetAddress.getLoopbackAddress(), target.getPort());
            sockets.add(backend);
            Link link = new Link();
            links.add(link);
            start(() -> link.forward(client, backend));
            start(() -> link.forward(backend, client));
        }
    }

    private static void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // Closed by either side.
                    }
                },
                "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        for (Closeable socket : sockets) {
            socket.close();
        }
    }

    @FunctionalInterface
    private interface Task {
        void run() throws IOException;
    }

    /** One connection of a client. */
    private static final class Link {
        private volatile boolean silent;

        void forward(Socket from, Socket to) throws IOException {
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] buffer = new byte[8192];
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    if (!silent) {
                        out.write(buffer, 0, read);
                    }
                }
            }
        }
    }
}
