package dev.oneengine.cache;

import dev.oneengine.cache.url.ParsedUrl;
import dev.oneengine.cache.url.UrlParameters;
import dev.oneengine.cache.url.UrlParser;
import dev.oneengine.cache.url.UrlSecrets;
import dev.oneengine.cache.url.UrlSyntaxException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a database, parsed from a URL.
 *
 * <p>Two URLs are equal if they mean the same database, however they are written. The password and the parameters do not count. These
 * forms are supported:
 *
 * <ul>
 *   <li><b>SQLite in memory</b>: {@code jdbc:sqlite::memory:}, {@code jdbc:sqlite:}, {@code sqlite:///:memory:} and
 *       {@code sqlite://} mean one database, the default one. {@code jdbc:sqlite:file:NAME?mode=memory} means the database with
 *       that name, also with {@code cache=shared} or {@code vfs=memdb}.
 *   <li><b>SQLite files</b>: {@code jdbc:sqlite:PATH}, {@code jdbc:sqlite:file:PATH} and {@code sqlite:///PATH}. The path is made
 *       absolute and normal. Parsing follows symbolic links once, so an object of this class always means the same file. If a
 *       link changes, later calls of {@link #parse} and {@link EngineCache#engine(String)} follow the new link.
 *   <li><b>PostgreSQL</b>: {@code jdbc:postgresql:}, {@code postgresql://} and {@code postgres://}. Host names are compared ignoring case
 *       and are not looked up, so {@code localhost} and {@code 127.0.0.1} differ. The default port is 5432. The default user is that of the
 *       operating system, and the default database has the name of the user, as in PostgreSQL's JDBC driver. The user belongs to the
 *       identity, because users have different schemas and rights.
 *   <li><b>Any other database</b>: {@code jdbc:NAME:}, for caches with an {@link EngineFactory} that opens it. URLs are compared character
 *       by character, because only the driver can parse them.
 * </ul>
 *
 * <p>The name of an SQLAlchemy driver in the scheme is ignored, as in {@code postgresql+psycopg://} and {@code sqlite+pysqlite://}.
 *
 * <p>Immutable and thread-safe. Only {@link #driverProperties}, and the {@link #jdbcUrl} of another database, contain secrets.
 */
public final class DatabaseUrl {
    private final Kind kind;
    private final String name;

    /** The text that equal databases share. */
    private final String key;

    private final SortedMap<String, String> parameters;
    private final ParsedUrl.Access access;

    /** Whether the same alias may mean another file later. */
    final boolean throughLink;

    private final String printable;

    /** The kind of a database. */
    public enum Kind {
        /** An SQLite database in the memory of this process. */
        SQLITE_MEMORY,
        /** An SQLite database in a file. */
        SQLITE_FILE,
        /** A database of a PostgreSQL server. */
        POSTGRESQL,
        /** Any other database. Only a caller's {@link EngineFactory} can open it. */
        OTHER;

        /** {@return whether this is SQLite, in memory or in a file} */
        public boolean isSqlite() {
            return this == SQLITE_MEMORY || this == SQLITE_FILE;
        }
    }

    private DatabaseUrl(ParsedUrl parsed) {
        this.kind = Kind.valueOf(parsed.database().name());
        this.name = parsed.name();
        this.key = parsed.key();
        this.parameters = parsed.parameters();
        this.access = parsed.access();
        this.throughLink = parsed.throughLink();
        this.printable = parameters.isEmpty()
                ? parsed.normal()
                : parsed.normal() + (parsed.normal().contains("?") ? "&" : "?") + UrlParameters.printable(parameters);
    }

    /**
     * Parses a URL.
     *
     * @param url the URL, in any of the forms above; the scheme in upper or lower case
     * @return the database that it means
     * @throws InvalidDatabaseUrlException if the URL is invalid; the message says why and what to do
     */
    public static DatabaseUrl parse(String url) {
        try {
            return new DatabaseUrl(UrlParser.parse(url));
        } catch (UrlSyntaxException e) {
            throw new InvalidDatabaseUrlException(UrlSecrets.scheme(String.valueOf(url)), e.reason());
        }
    }

    /** {@return the kind of database} */
    public Kind kind() {
        return kind;
    }

    /**
     * Returns the database's own name. In memory, it is the name in the URL, or the empty text for the default
     * database. For a file, it is the absolute path; on a server, the name of the database there. For any other
     * database, it is the same text as {@link #toString}.
     *
     * @return the name, decoded
     */
    public String name() {
        return name;
    }

    /**
     * Returns the parameters of the URL. Parameters are settings: they do not distinguish databases. A cache rejects a URL whose
     * parameters differ from those of the engine.
     *
     * @return the parameters, sorted by name, unmodifiable; secret ones are only in {@link #driverProperties}
     */
    public SortedMap<String, String> parameters() {
        SortedMap<String, String> shown = new TreeMap<>(parameters);
        shown.keySet().removeIf(UrlSecrets::isSecret);
        return Collections.unmodifiableSortedMap(shown);
    }

    /**
     * Returns the URL for the JDBC driver, without user and password. In memory, each connection to this URL would have its own
     * database; a factory must choose another URL there.
     *
     * <p>For any other database, this is the original URL with all its secrets. Do not show it.
     *
     * @return a URL for {@link java.sql.Driver#connect}, together with {@link #driverProperties}
     */
    public String jdbcUrl() {
        return access.jdbcUrl();
    }

    /**
     * Returns the properties for the JDBC driver: user, password and parameters. Do not show them.
     *
     * @return a new object for each call
     */
    public Properties driverProperties() {
        Properties properties = new Properties();
        properties.putAll(access.properties());
        return properties;
    }

    /** Returns the texts that a driver may quote and that must not be shown. */
    List<String> secrets() {
        if (kind == Kind.OTHER) {
            return UrlSecrets.of(jdbcUrl());
        }
        List<String> secrets = new ArrayList<>(List.of(access.password()));
        parameters.forEach((parameter, value) -> {
            if (UrlSecrets.isSecret(parameter)) {
                secrets.add(value);
            }
        });
        return secrets;
    }

    /**
     * Returns the parameters that differ between this URL and a requested URL for the same database. A missing parameter accepts any
     * value.
     */
    List<String> differencesTo(DatabaseUrl requested) {
        List<String> differences = new ArrayList<>();
        requested.parameters.forEach((parameter, value) -> {
            String mine = parameters.get(parameter);
            if (!value.equals(mine)) {
                differences.add(
                        UrlSecrets.isSecret(parameter)
                                ? "the parameter " + parameter
                                : "the parameter " + parameter + " is " + (mine == null ? "not given" : mine) + ", not "
                                        + value);
            }
        });
        String password = requested.access.password();
        if (!password.isEmpty() && !password.equals(access.password())) {
            differences.add("the password");
        }
        return differences;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DatabaseUrl url && key.equals(url.key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    /**
     * Returns this URL in its normal form, with masked passwords. Parsing it gives an equal URL. For any other database, the text ends
     * before the parameters. If there may be a password, the text is only the scheme.
     */
    @Override
    public String toString() {
        return printable;
    }
}
