package dev.oneengine.testing;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A proxy that shares a few sessions of a PostgreSQL server among all clients. Each transaction gets another session,
 * the worst case of PgBouncer in transaction mode. Implements only the necessary part of the protocol, and trusts its
 * clients. Thread-safe.
 */
public final class SessionProxy extends LocalServer {
    /**
     * The number of server sessions for each database. A transaction gets the session that was idle for the longest
     * time.
     */
    private static final int SESSIONS = 4;

    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;
    private static final int CANCEL_REQUEST = 80877102;

    private final URI target;
    private final Map<String, BlockingDeque<Session>> idle = new ConcurrentHashMap<>();

    private SessionProxy(URI target) throws IOException {
        this.target = target;
    }

    /** Starts a proxy in front of the server of a URL. */
    public static SessionProxy before(String url) throws IOException {
        SessionProxy proxy = new SessionProxy(URI.create(url));
        proxy.open();
        return proxy;
    }

    /**
     * Returns the URL of the same database through this proxy. Prepared statements are off, because the names of
     * different clients would collide in the shared sessions.
     */
    public String url() {
        return url(target, port()) + "?prepareThreshold=0";
    }

    @Override
    void serve(Socket socket) throws IOException, InterruptedException {
        try (socket) {
            Peer client = new Peer(socket);
            byte[] startup = client.startup();
            if (startup == null) {
                return;
            }
            BlockingDeque<Session> sessions = sessions(databaseOf(startup), startup);
            Session first = sessions.takeFirst();
            client.write(first.greeting);
            client.out.flush();
            sessions.putLast(first);
            while (transaction(client, sessions)) {
                // until the client leaves
            }
        }
    }

    /** The message consists of a version, names and values; each name and value ends with a zero byte. */
    private static String databaseOf(byte[] startup) {
        String[] words = new String(startup, 4, startup.length - 4, StandardCharsets.UTF_8).split("\0");
        return words[Arrays.asList(words).indexOf("database") + 1];
    }

    private BlockingDeque<Session> sessions(String database, byte[] startup) throws IOException {
        synchronized (idle) {
            BlockingDeque<Session> sessions = idle.get(database);
            if (sessions == null) {
                sessions = new LinkedBlockingDeque<>();
                for (int i = 0; i < SESSIONS; i++) {
                    sessions.add(connect(startup));
                }
                idle.put(database, sessions);
            }
            return sessions;
        }
    }

    private Session connect(byte[] startup) throws IOException {
        Peer peer = new Peer(connect(target.getPort()));
        peer.out.writeInt(startup.length + 4);
        peer.write(startup);
        peer.out.flush();
        return new Session(peer, startup);
    }

    /** Forwards one transaction, and returns whether the client may send another one. */
    private boolean transaction(Peer client, BlockingDeque<Session> sessions) throws IOException, InterruptedException {
        Message message = client.read();
        if (message == null || message.type == 'X') {
            return false;
        }
        Session session = sessions.takeFirst();
        boolean idleAgain = false;
        try {
            while (message != null && message.type != 'X') {
                session.peer.write(message);
                if (message.isEndOfRequest()) {
                    session.peer.out.flush();
                    if (answer(session.peer, client) == 'I') {
                        idleAgain = true;
                        return true;
                    }
                }
                message = client.read();
            }
            return false;
        } finally {
            if (idleAgain) {
                sessions.putLast(session);
            } else {
                session.peer.socket.close(); // the server rolls back
                sessions.putLast(connect(session.startup));
            }
        }
    }

    /**
     * Forwards one answer and returns the state of the transaction, or 'G' if the server waits for the rows of a {@code
     * COPY}.
     */
    private static int answer(Peer session, Peer client) throws IOException {
        while (true) {
            Message message = session.read();
            if (message == null) {
                throw new IOException("The server ended the session");
            }
            client.write(message);
            if (message.type == 'Z' || message.type == 'G') {
                client.out.flush();
                return message.type == 'G' ? 'G' : message.body[0];
            }
        }
    }

    /** A message of the protocol. */
    private static final class Message {
        private final int type;
        private final byte[] body;

        Message(int type, byte[] body) {
            this.type = type;
            this.body = body;
        }

        /** Whether the server answers this message with ReadyForQuery. */
        boolean isEndOfRequest() {
            return type == 'Q' || type == 'S' || type == 'F' || type == 'c' || type == 'f';
        }
    }

    /** A session on the server. */
    private static final class Session {
        private final Peer peer;
        private final byte[] startup;

        /** The server's messages to a new client, with a key that the proxy has invented. */
        private final byte[] greeting;

        Session(Peer peer, byte[] startup) throws IOException {
            this.peer = peer;
            this.startup = startup;
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            Message message;
            do {
                message = peer.read();
                if (message == null) {
                    throw new IOException("The server rejects this client");
                }
                byte[] body = message.body;
                if (message.type == 'K') {
                    ThreadLocalRandom.current().nextBytes(body);
                }
                out.writeByte(message.type);
                out.writeInt(body.length + 4);
                out.write(body);
            } while (message.type != 'Z');
            greeting = bytes.toByteArray();
        }
    }

    /** The other end of a socket. */
    private static final class Peer {
        private final Socket socket;
        private final DataInputStream in;
        private final DataOutputStream out;

        Peer(Socket socket) throws IOException {
            socket.setTcpNoDelay(true);
            this.socket = socket;
            this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        }

        /** Returns the startup message of a client, or {@code null} for a request to cancel a statement. */
        byte @Nullable [] startup() throws IOException {
            while (true) {
                byte[] body = in.readNBytes(in.readInt() - 4);
                int code = ByteBuffer.wrap(body).getInt();
                if (code == CANCEL_REQUEST) {
                    return null;
                }
                if (code != SSL_REQUEST && code != GSS_REQUEST) {
                    return body;
                }
                out.writeByte('N');
                out.flush();
            }
        }

        /** The next message, or {@code null} at the end. */
        @Nullable Message read() throws IOException {
            int type = in.read();
            return type < 0 ? null : new Message(type, in.readNBytes(in.readInt() - 4));
        }

        void write(Message message) throws IOException {
            out.writeByte(message.type);
            out.writeInt(message.body.length + 4);
            out.write(message.body);
        }

        void write(byte[] bytes) throws IOException {
            out.write(bytes);
        }
    }
}
