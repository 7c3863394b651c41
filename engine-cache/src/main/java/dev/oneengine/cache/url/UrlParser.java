package dev.oneengine.cache.url;

import dev.oneengine.cache.url.ParsedUrl.Access;
import dev.oneengine.cache.url.ParsedUrl.Database;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses database URLs: checks the characters, and selects the parser by the scheme. Stateless and thread-safe. */
public final class UrlParser {
    /** The longest URL that is parsed. No file system and no server accepts a longer name. */
    private static final int LONGEST = 4096;

    private static final String SUPPORTED = "use jdbc:sqlite:PATH, jdbc:sqlite::memory:, sqlite:///PATH, "
            + "jdbc:postgresql://HOST/DATABASE or postgresql://HOST/DATABASE";

    /** SQLAlchemy's form of a scheme, which also names the driver. */
    private static final Pattern DIALECT =
            Pattern.compile("(sqlite|postgres(?:ql)?)\\+([a-z0-9_-]{1,30}):", Pattern.CASE_INSENSITIVE);

    private static final Pattern JDBC = Pattern.compile("jdbc:[a-z][a-z0-9+._-]*:.+", Pattern.CASE_INSENSITIVE);

    private UrlParser() {}

    /**
     * Parses a URL.
     *
     * @param url the URL, in any form that {@code DatabaseUrl} documents
     * @return its parts
     * @throws UrlSyntaxException if the URL is invalid
     */
    public static ParsedUrl parse(@Nullable String url) throws UrlSyntaxException {
        return parsePlain(withoutDialect(checked(url)));
    }

    /** Parses a URL without the name of a SQLAlchemy driver. To support another database, add its scheme here. */
    private static ParsedUrl parsePlain(String url) throws UrlSyntaxException {
        String rest = afterScheme(url, "jdbc:sqlite:");
        if (rest != null) {
            return SqliteUrlParser.jdbc(rest);
        }
        rest = afterScheme(url, "sqlite:");
        if (rest != null) {
            return SqliteUrlParser.uri(rest);
        }
        rest = afterScheme(url, "jdbc:postgresql:");
        if (rest != null) {
            return PostgresUrlParser.jdbc(rest);
        }
        rest = afterScheme(url, "postgresql:");
        if (rest == null) {
            rest = afterScheme(url, "postgres:");
        }
        if (rest != null) {
            return PostgresUrlParser.uri(rest);
        }
        if (JDBC.matcher(url).matches()) {
            String shown = UrlSecrets.printable(url);
            return new ParsedUrl(
                    Database.OTHER,
                    shown,
                    url,
                    shown,
                    Collections.emptySortedMap(),
                    new Access(url, Collections.emptySortedMap(), ""),
                    false);
        }
        throw new UrlSyntaxException("unknown scheme; " + hint(url));
    }

    private static String withoutDialect(String url) throws UrlSyntaxException {
        Matcher dialect = DIALECT.matcher(url);
        if (!dialect.lookingAt()) {
            return url;
        }
        if (dialect.group(2).equalsIgnoreCase("pysqlcipher")) {
            throw new UrlSyntaxException("encrypted databases are not supported; name a plain file");
        }
        return dialect.group(1) + ":" + url.substring(dialect.end());
    }

    private static String hint(String url) {
        if (url.startsWith(":memory:")) {
            return "for a database in memory use jdbc:sqlite::memory: or sqlite:///:memory:";
        }
        return afterScheme(url, "file:") == null ? SUPPORTED : "for an SQLite file write jdbc:sqlite: before it";
    }

    private static String checked(@Nullable String url) throws UrlSyntaxException {
        if (url == null || url.isBlank()) {
            throw new UrlSyntaxException("it is empty; " + SUPPORTED);
        }
        if (url.length() > LONGEST) {
            throw new UrlSyntaxException(
                    "it has " + url.length() + " characters; at most " + LONGEST + " are supported");
        }
        for (int i = 0; i < url.length(); i++) {
            if (Character.isISOControl(url.charAt(i))) {
                throw new UrlSyntaxException("character " + (i + 1) + " is a control character; remove it");
            }
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(url)) {
            throw new UrlSyntaxException("it contains half a character (an unpaired surrogate); remove it");
        }
        if (!url.strip().equals(url)) {
            throw new UrlSyntaxException("it starts or ends with a blank; remove the blank");
        }
        return url;
    }

    private static @Nullable String afterScheme(String url, String scheme) {
        return url.regionMatches(true, 0, scheme, 0, scheme.length()) ? url.substring(scheme.length()) : null;
    }
}
