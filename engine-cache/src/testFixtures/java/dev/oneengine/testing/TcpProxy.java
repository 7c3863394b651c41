package dev.oneengine.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A TCP proxy in front of a server of this machine. It can go silent like a server whose machine died: connections stay open,
 * and no more bytes pass. Thread-safe.
 */
public final class TcpProxy extends LocalServer {
    private final URI target;
    private final List<Link> links = new CopyOnWriteArrayList<>();

    private TcpProxy(URI target) throws IOException {
        this.target = target;
    }

    /** Starts a proxy in front of the server of a URL. */
    public static TcpProxy before(String url) throws IOException {
        TcpProxy proxy = new TcpProxy(URI.create(url));
        proxy.open();
        return proxy;
    }

    /** The same URL, through this proxy. */
    public String url() {
        return url(target, port());
    }

    /** Drops all further bytes of the connections that are open now. Later connections work. */
    public void silenceOpenConnections() {
        links.forEach(link -> link.silent = true);
    }

    @Override
    void serve(Socket client) throws IOException {
        Socket backend = connect(target.getPort());
        Link link = new Link();
        links.add(link);
        start(() -> link.forward(client, backend));
        link.forward(backend, client);
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
