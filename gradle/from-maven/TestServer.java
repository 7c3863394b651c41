import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The networks that test.sh needs: {@code java TestServer.java <directory> <log>} prints the port of an HTTP server for
 * the files in the directory, which logs each path that it is asked for, and that of a server that never answers.
 */
final class TestServer {
    private TestServer() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        Path log = Path.of(args[1]);
        InetAddress local = InetAddress.getByName("127.0.0.1");
        HttpServer files = HttpServer.create(new InetSocketAddress(local, 0), 0);
        files.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            Files.writeString(log, path + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            Path file = directory.resolve(path.substring(1));
            try (exchange) {
                if (Files.isRegularFile(file)) {
                    exchange.sendResponseHeaders(200, Files.size(file));
                    Files.copy(file, exchange.getResponseBody());
                } else {
                    exchange.sendResponseHeaders(404, -1);
                }
            } catch (IOException e) {
                // The client has seen enough.
            }
        });
        files.start();
        // Connections wait in its queue, as nothing accepts them.
        try (ServerSocket silent = new ServerSocket(0, 50, local)) {
            System.out.println(files.getAddress().getPort() + " " + silent.getLocalPort());
            Thread.currentThread().join();
        }
    }
}
