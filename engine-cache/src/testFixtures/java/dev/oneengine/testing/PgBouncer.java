package dev.oneengine.testing;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** PgBouncer in transaction mode, in front of a server of this machine. Thread-safe. */
public final class PgBouncer implements AutoCloseable {
    private final URI target;
    private final int port;
    private final Process process;

    private PgBouncer(URI target, int port, Process process) {
        this.target = target;
        this.port = port;
        this.process = process;
    }

    /** Returns the path of the program, if it is installed. */
    public static Optional<Path> program() {
        return Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin"))
                .map(directory -> Path.of(directory, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts PgBouncer.
     *
     * @param url a database of the server; the proxy also serves all others
     * @param directory the directory for its files
     */
    public static PgBouncer before(String url, Path directory) throws IOException, InterruptedException {
        URI target = URI.create(url);
        int port = freePort();
        Path home = Files.createTempDirectory(directory, "pgbouncer");
        Path settings = Files.writeString(home.resolve("pgbouncer.ini"), """
                [databases]
                * = host=127.0.0.1 port=%d user=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = 8
                max_client_conn = 200
                """.formatted(target.getPort(), port));
        List<String> command = new ArrayList<>(List.of(program().orElseThrow().toString()));
        if (System.getProperty("user.name").equals("root")) { // PgBouncer does not run as root
            command.addAll(List.of("-u", "nobody"));
            for (Path readable : List.of(directory, home)) {
                Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
        command.add(settings.toString());
        Path log = home.resolve("log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        PgBouncer started = new PgBouncer(target, port, process);
        try {
            await().until(() -> !process.isAlive() || started.answers());
            if (!process.isAlive()) {
                throw new IOException("PgBouncer ended: " + Files.readString(log));
            }
            return started;
        } catch (Throwable t) {
            started.close();
            throw t;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns the URL of the same database through PgBouncer. Prepared statements are off, because PgBouncer supports
     * them only from 1.21 on.
     */
    public String url() {
        return LocalServer.url(target, port) + "?prepareThreshold=0";
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
