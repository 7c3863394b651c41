package dev.oneengine.cache.url;

import dev.oneengine.cache.url.ParsedUrl.Access;
import dev.oneengine.cache.url.ParsedUrl.Database;
import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Parses the URLs of SQLite databases. {@link PermittedValues} checks their parameters. Stateless and thread-safe. */
final class SqliteUrlParser {
    /** The parameters that SQLite itself reads from a {@code file:} URI. In a plain path they would become part of the file name. */
    private static final Set<String> URI_PARAMETERS =
            Set.of("mode", "vfs", "cache", "immutable", "nolock", "psow", "modeof");

    private static final String IN_MEMORY = ":memory:";

    /** A user and a password before a host. The URL then has two slashes, not three. */
    private static final Pattern CREDENTIALS =
            Pattern.compile("(?:[a-z][a-z0-9+]*+:)?//[^/:@]*+:.*@", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final Pattern DRIVE = Pattern.compile("/[A-Za-z]:");

    private SqliteUrlParser() {}

    /** Parses {@code sqlite:///PATH}. There is no host: {@code sqlite:///X} means {@code jdbc:sqlite:X}. */
    static ParsedUrl uri(String rest) throws UrlSyntaxException {
        if (!rest.startsWith("//")) {
            throw new UrlSyntaxException("the scheme is not followed by //; use sqlite:///PATH");
        }
        String target = rest.substring(2);
        if (!target.isEmpty() && !target.startsWith("/") && !target.startsWith("?")) {
            throw new UrlSyntaxException(
                    "SQLite has no hosts; write a relative path after three slashes, or an absolute path after four");
        }
        return jdbc(target.startsWith("/") ? target.substring(1) : target);
    }

    static ParsedUrl jdbc(String target) throws UrlSyntaxException {
        if (CREDENTIALS.matcher(target).lookingAt()
                || CREDENTIALS.matcher(PercentEncoding.decodeLeniently(target)).lookingAt()) {
            throw new UrlSyntaxException(
                    "SQLite has no hosts, users or passwords; write jdbc:sqlite:PATH, or the scheme of a server");
        }
        if (target.regionMatches(true, 0, "file:", 0, 5)) {
            return fileUri(target.substring(5));
        }
        if (target.startsWith(":resource:")) {
            throw new UrlSyntaxException(
                    "a database in a resource has no path that identifies it; copy it to a file first");
        }
        int question = target.indexOf('?');
        String path = question < 0 ? target : target.substring(0, question);
        SortedMap<String, String> parameters = parameters(question < 0 ? "" : target.substring(question + 1));
        for (String name : parameters.keySet()) {
            if (URI_PARAMETERS.contains(name)) {
                throw new UrlSyntaxException("SQLite reads the parameter " + name + " only after file:, as in "
                        + "jdbc:sqlite:file:NAME?mode=memory");
            }
        }
        return path.isEmpty() || path.equals(IN_MEMORY) ? memory("", parameters) : file(path, parameters);
    }

    /** Parses a URI of SQLite: a percent-encoded path with parameters, and a fragment without meaning. */
    private static ParsedUrl fileUri(String uri) throws UrlSyntaxException {
        int hash = uri.indexOf('#');
        String noFragment = hash < 0 ? uri : uri.substring(0, hash);
        int question = noFragment.indexOf('?');
        String query = question < 0 ? "" : noFragment.substring(question + 1);
        String path =
                PercentEncoding.decode(withoutHost(question < 0 ? noFragment : noFragment.substring(0, question)));
        SortedMap<String, String> parameters = parameters(query);
        parameters.remove("uri"); // SQLAlchemy marks a URI in this way
        if (path.isEmpty()
                || path.equals(IN_MEMORY)
                || "memory".equals(parameters.get("mode"))
                || "memdb".equals(parameters.get("vfs"))) {
            return namedMemory(path, parameters);
        }
        return file(path, parameters);
    }

    private static SortedMap<String, String> parameters(String query) throws UrlSyntaxException {
        SortedMap<String, String> parameters =
                UrlParameters.parse(query, PercentEncoding::decode, PermittedValues.SQLITE);
        // Otherwise SQLite would quote the rest in a syntax error.
        if (!parameters.getOrDefault("hexkey_mode", "none").equalsIgnoreCase("none")
                && !parameters.getOrDefault("password", "").matches("[0-9A-Fa-f]*")) {
            throw new UrlSyntaxException(
                    "with a hexkey_mode the password must be hexadecimal digits; correct it, or remove hexkey_mode");
        }
        return parameters;
    }

    private static String withoutHost(String path) throws UrlSyntaxException {
        if (!path.startsWith("//")) {
            return path;
        }
        int slash = path.indexOf('/', 2);
        String host = slash < 0 ? path.substring(2) : path.substring(2, slash);
        if (!host.isEmpty() && !host.equals("localhost")) {
            throw new UrlSyntaxException("SQLite opens only files on this machine; write file:PATH or file:///PATH");
        }
        return slash < 0 ? "" : path.substring(slash);
    }

    /** Ignores how SQLite would share the memory among connections: all connections of an engine share it. */
    private static ParsedUrl namedMemory(String path, SortedMap<String, String> parameters) throws UrlSyntaxException {
        SortedMap<String, String> others = new TreeMap<>(parameters);
        others.remove("cache");
        others.remove("vfs", "memdb");
        others.remove("mode", "memory");
        if (others.containsKey("vfs")) {
            throw new UrlSyntaxException("a database in memory supports only the vfs memdb; remove that parameter");
        }
        String name = path.startsWith("/") ? path.substring(1) : path;
        return memory(name.equals(IN_MEMORY) ? "" : name, others);
    }

    private static ParsedUrl memory(String name, SortedMap<String, String> parameters) {
        String key = "jdbc:sqlite:" + (name.isEmpty() ? IN_MEMORY : inUri(name) + "?mode=memory");
        String normal = name.isEmpty() && hasUriParameters(parameters) ? "jdbc:sqlite:file:" + IN_MEMORY : key;
        return new ParsedUrl(Database.SQLITE_MEMORY, name, key, normal, parameters, access(normal, parameters), false);
    }

    /** Returns the text after the scheme that is parsed as this name. The parser drops one leading slash. */
    private static String inUri(String name) {
        return "file:" + (name.startsWith("/") ? "///" : "") + PercentEncoding.encode(name);
    }

    private static boolean hasUriParameters(SortedMap<String, String> parameters) {
        return !Collections.disjoint(parameters.keySet(), URI_PARAMETERS);
    }

    private static ParsedUrl file(String path, SortedMap<String, String> parameters) throws UrlSyntaxException {
        try {
            Path written =
                    Path.of(withoutSlashBeforeDrive(path, File.separatorChar)).toAbsolutePath();
            String real = RealPath.of(written).toString();
            String normal =
                    isPlain(real) && !hasUriParameters(parameters) ? real : "file:" + PercentEncoding.encode(real);
            normal = "jdbc:sqlite:" + normal;
            return new ParsedUrl(
                    Database.SQLITE_FILE,
                    real,
                    "jdbc:sqlite:" + real,
                    normal,
                    parameters,
                    access(normal + uriQuery(parameters), parameters),
                    !written.toString().equals(real));
        } catch (InvalidPathException e) {
            throw new UrlSyntaxException("this system does not permit a file of that name; choose another path");
        } catch (UncheckedIOException e) {
            throw new UrlSyntaxException(
                    "the system failed to look for a symbolic link at its path; try again or check the file system");
        }
    }

    private static Access access(String jdbcUrl, SortedMap<String, String> parameters) {
        SortedMap<String, String> properties = new TreeMap<>(parameters);
        properties.keySet().removeAll(URI_PARAMETERS);
        return new Access(jdbcUrl, properties, "");
    }

    /** Removes the slash before a drive of Windows, as in {@code file:///C:/app.db}. */
    static String withoutSlashBeforeDrive(String path, char separator) {
        return separator == '\\' && DRIVE.matcher(path).lookingAt() ? path.substring(1) : path;
    }

    /** Whether a path can stand in a URL unchanged. A plain path ends at the first question mark. */
    private static boolean isPlain(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) == '?' || Character.isISOControl(path.charAt(i))) {
                return false;
            }
        }
        return path.strip().equals(path);
    }

    /** Returns the parameters that SQLite itself reads. The driver takes all others as properties. */
    private static String uriQuery(SortedMap<String, String> parameters) {
        SortedMap<String, String> ofUri = new TreeMap<>(parameters);
        ofUri.keySet().retainAll(URI_PARAMETERS);
        return ofUri.isEmpty() ? "" : "?" + UrlParameters.printable(ofUri);
    }
}
