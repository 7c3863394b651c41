package dev.oneengine.cache;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which database a URL means.
 *
 * <p>Two URLs are equal when they mean the same database, however they are written; the password and the parameters
 * have no part in it. These forms are supported:
 *
 * <ul>
 *   <li><b>SQLite in memory</b>: {@code jdbc:sqlite::memory:}, {@code jdbc:sqlite:}, {@code sqlite:///:memory:} and
 *       {@code sqlite://} are one database, the default one. {@code jdbc:sqlite:file:NAME?mode=memory}, with or without
 *       {@code cache=shared}, or with {@code vfs=memdb}, is the one of that name.
 *   <li><b>SQLite files</b>: {@code jdbc:sqlite:PATH}, {@code jdbc:sqlite:file:PATH} and {@code sqlite:///PATH}. The path
 *       is made absolute and normal. Symbolic links are followed once, when the URL is parsed: an object of this class
 *       always means the same file. A link that leads elsewhere later leads each later call of {@link #parse} there,
 *       and each later call of {@link EngineCache#engine(String)}.
 *   <li><b>PostgreSQL</b>: {@code jdbc:postgresql:} and {@code postgresql://}, also {@code postgres://}. Host names are
 *       compared without regard to case and are not looked up, so {@code localhost} and {@code 127.0.0.1} differ. The
 *       default port is filled in; a missing user is that of the operating system and a missing database that of the
 *       user's name, as in PostgreSQL's JDBC driver. The user belongs to the identity: other users see other schemas
 *       and have other rights.
 *   <li><b>Any other database</b>: {@code jdbc:NAME:}, for caches with an {@link EngineFactory} that knows it. The text
 *       identifies the database, character by character, as only its driver can read it.
 * </ul>
 *
 * <p>SQLAlchemy's names of drivers are skipped, as in {@code postgresql+psycopg://} and {@code sqlite+pysqlite://}.
 *
 * <p>Immutable and thread-safe. Only {@link #driverProperties}, and {@link #jdbcUrl} of another database, contain secrets.
 */
public final class DatabaseUrl {
    /** The longest URL that is read; no file system and no server takes more in a name. */
    private static final int LONGEST = 4096;

    private static final String KNOWN = "use jdbc:sqlite:PATH, jdbc:sqlite::memory:, sqlite:///PATH, "
            + "jdbc:postgresql://HOST/DATABASE or postgresql://HOST/DATABASE";

    /** SQLAlchemy's form of a scheme, which also names the driver. */
    private static final Pattern DIALECT =
            Pattern.compile("(sqlite|postgres(?:ql)?)\\+([a-z0-9_-]{1,30}):", Pattern.CASE_INSENSITIVE);

    private static final Pattern JDBC = Pattern.compile("jdbc:[a-z][a-z0-9+._-]*:.+", Pattern.CASE_INSENSITIVE);

    private final Kind kind;
    private final String name;
    private final String key;
    private final SortedMap<String, String> parameters;
    private final Access access;
    private final boolean throughLink;
    private final String printable;

    /** What stands behind a URL. */
    public enum Kind {
        /** An SQLite database in the memory of this process. */
        SQLITE_MEMORY,
        /** An SQLite database in a file. */
        SQLITE_FILE,
        /** A database of a PostgreSQL server. */
        POSTGRESQL,
        /** Any other database, which only a caller's {@link EngineFactory} can open. */
        OTHER;

        /**
         * Tells both kinds of SQLite database from all others.
         *
         * @return whether it is SQLite, in memory or in a file
         */
        public boolean isSqlite() {
            return this == SQLITE_MEMORY || this == SQLITE_FILE;
        }
    }

    /**
     * How a driver gets to the database.
     *
     * @param jdbcUrl the URL for the driver
     * @param user the user, or the empty text
     * @param password the password, or the empty text
     */
    record Access(String jdbcUrl, String user, String password) {
        @Override
        public String toString() {
            return Secrets.MASK;
        }
    }

    /**
     * Makes a URL of what its parser found.
     *
     * @param key what tells this database from all others
     * @param normal the URL without password and parameters
     * @param throughLink whether the file was found through a symbolic link, so that another one may be found next time
     */
    DatabaseUrl(
            Kind kind,
            String name,
            String key,
            String normal,
            SortedMap<String, String> parameters,
            Access access,
            boolean throughLink) {
        this.kind = kind;
        this.name = name;
        this.key = key;
        this.parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
        this.access = access;
        this.throughLink = throughLink;
        this.printable = parameters.isEmpty()
                ? normal
                : normal + (normal.contains("?") ? "&" : "?") + Parameters.printable(parameters);
    }

    /**
     * Reads a URL.
     *
     * @param url the URL, in any of the forms above; the scheme in upper or lower case
     * @return the database it means
     * @throws InvalidDatabaseUrlException if it cannot be read; the message says why and what to do
     */
    public static DatabaseUrl parse(String url) {
        check(url);
        return parse(url, withoutDialect(url));
    }

    /** Parses a URL whose scheme is plain; messages are about the URL as it was given. */
    private static DatabaseUrl parse(String given, String url) {
        String rest = afterScheme(url, "jdbc:sqlite:");
        if (rest != null) {
            return SqliteUrls.jdbc(given, rest);
        }
        rest = afterScheme(url, "sqlite:");
        if (rest != null) {
            return SqliteUrls.uri(given, rest);
        }
        rest = afterScheme(url, "jdbc:postgresql:");
        if (rest != null) {
            return PostgresUrls.jdbc(given, rest);
        }
        rest = afterScheme(url, "postgresql:");
        if (rest == null) {
            rest = afterScheme(url, "postgres:");
        }
        if (rest != null) {
            return PostgresUrls.uri(given, rest);
        }
        if (JDBC.matcher(url).matches()) {
            String shown = Secrets.printable(url);
            return new DatabaseUrl(
                    Kind.OTHER, shown, url, shown, Collections.emptySortedMap(), new Access(url, "", ""), false);
        }
        throw new InvalidDatabaseUrlException(given, "the scheme is not known; " + hint(url));
    }

    private static String withoutDialect(String url) {
        Matcher dialect = DIALECT.matcher(url);
        if (!dialect.lookingAt()) {
            return url;
        }
        if (dialect.group(2).equalsIgnoreCase("pysqlcipher")) {
            throw new InvalidDatabaseUrlException(url, "encrypted databases are not supported; name a plain file");
        }
        return dialect.group(1) + ":" + url.substring(dialect.end());
    }

    private static String hint(String url) {
        if (url.startsWith(":memory:")) {
            return "for a database in memory use jdbc:sqlite::memory: or sqlite:///:memory:";
        }
        return afterScheme(url, "file:") == null ? KNOWN : "for a file of SQLite put jdbc:sqlite: in front";
    }

    private static void check(@Nullable String url) {
        if (url == null || url.isBlank()) {
            throw new InvalidDatabaseUrlException(String.valueOf(url), "there is nothing in it; " + KNOWN);
        }
        if (url.length() > LONGEST) {
            throw new InvalidDatabaseUrlException(
                    url, "it has " + url.length() + " characters, at most " + LONGEST + " are read");
        }
        for (int i = 0; i < url.length(); i++) {
            if (Character.isISOControl(url.charAt(i))) {
                throw new InvalidDatabaseUrlException(
                        url, "character " + (i + 1) + " is a control character; remove it");
            }
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(url)) {
            throw new InvalidDatabaseUrlException(url, "it has half a character (an unpaired surrogate); remove it");
        }
        if (!url.strip().equals(url)) {
            throw new InvalidDatabaseUrlException(url, "it starts or ends with a blank; remove that");
        }
    }

    private static @Nullable String afterScheme(String url, String scheme) {
        return url.regionMatches(true, 0, scheme, 0, scheme.length()) ? url.substring(scheme.length()) : null;
    }

    /**
     * What stands behind this URL.
     *
     * @return the kind of database
     */
    public Kind kind() {
        return kind;
    }

    /**
     * The database's own name: in memory the name given, or the empty text for the default one; the absolute path of a
     * file; the database on a server; of another database, the URL as {@link #toString} shows it.
     *
     * @return the name, decoded
     */
    public String name() {
        return name;
    }

    /**
     * What the URL asks of the driver beyond the database, by name. Parameters are settings: they do not tell databases
     * apart, and a cache refuses to give an engine away that has others than those asked for.
     *
     * @return the parameters, sorted by name, unmodifiable; what is secret is not among them but in
     *     {@link #driverProperties}
     */
    public SortedMap<String, String> parameters() {
        SortedMap<String, String> shown = new TreeMap<>(parameters);
        shown.keySet().removeIf(Secrets::isSecret);
        return Collections.unmodifiableSortedMap(shown);
    }

    /**
     * The URL for the JDBC driver, without user and password. In memory, each connection made with it would have a
     * database of its own: there it is for the factory to make one that all of them see.
     *
     * <p>Of another database, it is the URL as it was given, with whatever secrets it contains. Do not show that.
     *
     * @return a URL that {@link java.sql.Driver#connect} takes together with {@link #driverProperties}
     */
    public String jdbcUrl() {
        return access.jdbcUrl();
    }

    /**
     * What the JDBC driver needs beside the URL: user, password and the parameters. Do not show it.
     *
     * @return a new object with each call
     */
    public Properties driverProperties() {
        Properties properties = new Properties();
        properties.putAll(parameters);
        if (kind.isSqlite()) {
            properties.keySet().removeAll(SqliteUrls.URI_PARAMETERS);
        }
        if (!access.user().isEmpty()) {
            properties.setProperty("user", access.user());
        }
        if (!access.password().isEmpty()) {
            properties.setProperty("password", access.password());
        }
        return properties;
    }

    /** What a driver may quote and must not be shown. */
    List<String> secrets() {
        if (kind == Kind.OTHER) {
            return Secrets.of(access.jdbcUrl());
        }
        List<String> secrets = new ArrayList<>(List.of(access.password()));
        parameters.forEach((parameter, value) -> {
            if (Secrets.isSecret(parameter)) {
                secrets.add(value);
            }
        });
        return secrets;
    }

    /** Whether the same text may mean another file by now. */
    boolean isThroughLink() {
        return throughLink;
    }

    /** In what a URL of the same database asks for something else than this one; what it does not mention it may have. */
    List<String> differencesTo(DatabaseUrl asked) {
        List<String> differences = new ArrayList<>();
        asked.parameters.forEach((parameter, value) -> {
            String mine = parameters.get(parameter);
            if (!value.equals(mine)) {
                differences.add(
                        Secrets.isSecret(parameter)
                                ? "the parameter " + parameter
                                : "the parameter " + parameter + " is " + (mine == null ? "not given" : mine) + ", not "
                                        + value);
            }
        });
        String password = asked.access.password();
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
     * This URL in its normal form, with passwords masked. Parsing it again gives an equal URL. Of another database, it ends
     * where parameters begin, and is the scheme alone if there may be a password.
     */
    @Override
    public String toString() {
        return printable;
    }
}
