package dev.oneengine.cache;

import dev.oneengine.cache.DatabaseUrl.Access;
import dev.oneengine.cache.DatabaseUrl.Kind;
import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads the URLs of SQLite databases. Stateless and thread-safe. */
final class SqliteUrls {
    /** What SQLite reads from a {@code file:} URI, and what would become part of the file's name in a plain path. */
    static final Set<String> URI_PARAMETERS = Set.of("mode", "vfs", "cache", "immutable", "nolock", "psow", "modeof");

    private static final String IN_MEMORY = ":memory:";

    /** A user and a password in front of a host, behind two slashes and not three. */
    private static final Pattern CREDENTIALS =
            Pattern.compile("(?:[a-z][a-z0-9+]*+:)?//[^/:@]*+:.*@", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final Pattern DRIVE = Pattern.compile("/[A-Za-z]:");

    private SqliteUrls() {}

    /** {@code sqlite:///PATH}: there is no host, and what follows the third slash is what JDBC has behind the colon. */
    static DatabaseUrl uri(String url, String rest) {
        if (!rest.startsWith("//")) {
            throw new InvalidDatabaseUrlException(url, "the scheme is not followed by //; use sqlite:///PATH");
        }
        String target = rest.substring(2);
        if (!target.isEmpty() && !target.startsWith("/") && !target.startsWith("?")) {
            throw new InvalidDatabaseUrlException(
                    url, "SQLite has no hosts; put the path behind three slashes, an absolute one behind four");
        }
        return jdbc(url, target.startsWith("/") ? target.substring(1) : target);
    }

    static DatabaseUrl jdbc(String url, String target) {
        if (CREDENTIALS.matcher(target).lookingAt()
                || CREDENTIALS.matcher(Percent.decodeLeniently(target)).lookingAt()) {
            throw new InvalidDatabaseUrlException(
                    url, "SQLite has no hosts, users and passwords; write jdbc:sqlite:PATH, or the scheme of a server");
        }
        if (target.regionMatches(true, 0, "file:", 0, 5)) {
            return fileUri(url, target.substring(5));
        }
        if (target.startsWith(":resource:")) {
            throw new InvalidDatabaseUrlException(
                    url, "a database in a resource has no place of its own; copy it to a file first");
        }
        int question = target.indexOf('?');
        String path = question < 0 ? target : target.substring(0, question);
        SortedMap<String, String> parameters = parameters(url, question < 0 ? "" : target.substring(question + 1));
        for (String name : parameters.keySet()) {
            if (URI_PARAMETERS.contains(name)) {
                throw new InvalidDatabaseUrlException(
                        url,
                        "SQLite reads the parameter " + name + " only behind file:, as in "
                                + "jdbc:sqlite:file:NAME?mode=memory");
            }
        }
        return path.isEmpty() || path.equals(IN_MEMORY) ? memory("", parameters) : file(url, path, parameters);
    }

    /** A path as SQLite's own URIs have it: percent-encoded, with parameters, and a fragment that means nothing. */
    private static DatabaseUrl fileUri(String url, String uri) {
        int hash = uri.indexOf('#');
        String noFragment = hash < 0 ? uri : uri.substring(0, hash);
        int question = noFragment.indexOf('?');
        String query = question < 0 ? "" : noFragment.substring(question + 1);
        String path =
                Percent.decode(url, withoutHost(url, question < 0 ? noFragment : noFragment.substring(0, question)));
        SortedMap<String, String> parameters = parameters(url, query);
        parameters.remove("uri"); // SQLAlchemy's word for "this is a URI"
        if (path.isEmpty()
                || path.equals(IN_MEMORY)
                || "memory".equals(parameters.get("mode"))
                || "memdb".equals(parameters.get("vfs"))) {
            return namedMemory(url, path, parameters);
        }
        return file(url, path, parameters);
    }

    private static SortedMap<String, String> parameters(String url, String query) {
        SortedMap<String, String> parameters =
                Parameters.parse(url, query, text -> Percent.decode(url, text), ParameterTypes.SQLITE);
        // SQLite would quote the rest in a syntax error.
        if (!parameters.getOrDefault("hexkey_mode", "none").equalsIgnoreCase("none")
                && !parameters.getOrDefault("password", "").matches("[0-9A-Fa-f]*")) {
            throw new InvalidDatabaseUrlException(
                    url,
                    "with a hexkey_mode the password must be hexadecimal digits; correct it, or remove hexkey_mode");
        }
        return parameters;
    }

    private static String withoutHost(String url, String path) {
        if (!path.startsWith("//")) {
            return path;
        }
        int slash = path.indexOf('/', 2);
        String host = slash < 0 ? path.substring(2) : path.substring(2, slash);
        if (!host.isEmpty() && !host.equals("localhost")) {
            throw new InvalidDatabaseUrlException(
                    url, "SQLite opens files of this machine only; put three slashes or none behind file:");
        }
        return slash < 0 ? "" : path.substring(slash);
    }

    /** How SQLite would share the memory among connections is not for the URL to say: all of an engine's see it. */
    private static DatabaseUrl namedMemory(String url, String path, SortedMap<String, String> parameters) {
        SortedMap<String, String> others = new TreeMap<>(parameters);
        others.remove("cache");
        others.remove("vfs", "memdb");
        others.remove("mode", "memory");
        if (others.containsKey("vfs")) {
            throw new InvalidDatabaseUrlException(
                    url, "a database in memory has the vfs memdb and no other; remove that parameter");
        }
        String name = path.startsWith("/") ? path.substring(1) : path;
        return memory(name.equals(IN_MEMORY) ? "" : name, others);
    }

    private static DatabaseUrl memory(String name, SortedMap<String, String> parameters) {
        String key = "jdbc:sqlite:" + (name.isEmpty() ? IN_MEMORY : inUri(name) + "?mode=memory");
        String normal = name.isEmpty() && hasUriParameters(parameters) ? "jdbc:sqlite:file:" + IN_MEMORY : key;
        return new DatabaseUrl(Kind.SQLITE_MEMORY, name, key, normal, parameters, new Access(normal, "", ""), false);
    }

    /** A name as it must stand behind the scheme so that it is read as this name: one slash in front of it is dropped. */
    private static String inUri(String name) {
        return "file:" + (name.startsWith("/") ? "///" : "") + Percent.encode(name);
    }

    private static boolean hasUriParameters(SortedMap<String, String> parameters) {
        return !Collections.disjoint(parameters.keySet(), URI_PARAMETERS);
    }

    private static DatabaseUrl file(String url, String path, SortedMap<String, String> parameters) {
        try {
            Path written =
                    Path.of(withoutSlashBeforeDrive(path, File.separatorChar)).toAbsolutePath();
            String real = RealPath.of(written).toString();
            String normal = isPlain(real) && !hasUriParameters(parameters) ? real : "file:" + Percent.encode(real);
            normal = "jdbc:sqlite:" + normal;
            Access access = new Access(normal + uriQuery(parameters), "", "");
            boolean throughLink = !written.toString().equals(real);
            return new DatabaseUrl(
                    Kind.SQLITE_FILE, real, "jdbc:sqlite:" + real, normal, parameters, access, throughLink);
        } catch (InvalidPathException e) {
            throw new InvalidDatabaseUrlException(url, "this system has no file of that name; choose another path");
        } catch (UncheckedIOException e) {
            throw new InvalidDatabaseUrlException(
                    url,
                    "the system failed to look for a symbolic link at its path; try again or check the file system");
        }
    }

    /** In a URL a slash precedes the drive of Windows, as in {@code file:///C:/app.db}. */
    static String withoutSlashBeforeDrive(String path, char separator) {
        return separator == '\\' && DRIVE.matcher(path).lookingAt() ? path.substring(1) : path;
    }

    /** Whether a path can stand in a URL as it is. A plain one ends at the first question mark. */
    private static boolean isPlain(String path) {
        return path.indexOf('?') < 0
                && path.strip().equals(path)
                && path.chars().noneMatch(Character::isISOControl);
    }

    /** What SQLite itself reads; the driver takes all other parameters, as properties. */
    private static String uriQuery(SortedMap<String, String> parameters) {
        SortedMap<String, String> ofUri = new TreeMap<>(parameters);
        ofUri.keySet().retainAll(URI_PARAMETERS);
        return ofUri.isEmpty() ? "" : "?" + Parameters.printable(ofUri);
    }
}
