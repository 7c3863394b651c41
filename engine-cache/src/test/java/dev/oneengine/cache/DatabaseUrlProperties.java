package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.url.PercentEncoding;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The rules that hold for any URL. */
class DatabaseUrlProperties {
    private static final String PASSWORD = "hunter2";

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings()
                .ofMinLength(1)
                .ofMaxLength(12)
                .filter(name -> StandardCharsets.UTF_8.newEncoder().canEncode(name) && name.indexOf(0) < 0);
    }

    /** Random combinations of parts of URLs, valid and invalid. */
    @Provide
    Arbitrary<String> almostUrls() {
        Arbitrary<String> parts = Arbitraries.of(List.of(
                "jdbc:",
                "sqlite:",
                "postgresql:",
                "/",
                "//",
                "///",
                ":",
                "@",
                "?",
                "&",
                "=",
                ";",
                "#",
                ",",
                "%",
                "%40",
                "%2F",
                "%0A",
                "%20",
                "+",
                "[",
                "]",
                "::1",
                "file:",
                ":memory:",
                "mode=memory",
                "vfs=memdb",
                "cache=shared",
                "user",
                "password=",
                "joe",
                "h",
                "5432",
                "db",
                "a b",
                ".",
                "..",
                "\u00e9",
                " ",
                "jdbc:sqlite:file:",
                "postgresql://h/"));
        Arbitrary<String> starts = Arbitraries.of(
                "",
                "jdbc:sqlite:",
                "jdbc:sqlite:file:",
                "sqlite:///",
                "postgresql://",
                "postgresql://h/",
                "jdbc:postgresql:");
        return Combinators.combine(starts, parts.list().ofMaxSize(8))
                .as((start, rest) -> start + String.join("", rest));
    }

    @Property
    void in_memory_urls_are_equal_if_and_only_if_their_names_are(
            @ForAll("names") String one, @ForAll("names") String other) {
        assertThat(inMemory(one).equals(inMemory(other))).isEqualTo(one.equals(other));
        assertThat(inMemory(one).name()).isEqualTo(one);
        assertThat(inMemory(one)).isEqualTo(inMemory(one)).hasSameHashCodeAs(inMemory(one));
    }

    private static DatabaseUrl inMemory(String name) {
        // SQLite marks a name that all connections share by a leading slash.
        return DatabaseUrl.parse("jdbc:sqlite:file:///" + PercentEncoding.encode(name) + "?vfs=memdb");
    }

    @Property
    void server_urls_are_equal_if_and_only_if_user_host_port_and_database_are(
            @ForAll("places") Place one, @ForAll("places") Place other) {
        assertThat(one.url().equals(other.url())).isEqualTo(one.equals(other));
    }

    record Place(String user, String host, int port, String database) {
        DatabaseUrl url() {
            return DatabaseUrl.parse("postgresql://" + name(user) + "@" + host + ":" + port + "/" + name(database));
        }

        private static String name(String text) {
            return PercentEncoding.encode(text).replace("/", "%2F");
        }
    }

    @Provide
    Arbitrary<Place> places() {
        return Combinators.combine(
                        Arbitraries.oneOf(Arbitraries.of("joe", "ann", "j@e"), names())
                                .filter(user -> user.indexOf(':') < 0),
                        Arbitraries.of("localhost", "db.example.com", "10.0.0.1"),
                        Arbitraries.of(5432, 5433),
                        Arbitraries.oneOf(Arbitraries.of("app", "App", "a/b"), names())
                                .filter(database -> !(database.contains(":") && database.contains("@"))))
                .as(Place::new);
    }

    /** Passwords that may stand in a valid URL. */
    @Property
    void an_invalid_url_is_not_quoted_in_the_message(@ForAll("almostUrls") String text) {
        try {
            DatabaseUrl.parse(text);
        } catch (InvalidDatabaseUrlException e) {
            assertThat(e.getMessage()).matches("(?s)Invalid database URL \"([a-z][a-z0-9+._-]*:){0,2}\\.\\.\\.\": .*");
        }
    }

    @Property(maxDiscardRatio = 100)
    void parsing_the_string_form_of_a_url_returns_an_equal_url(@ForAll("almostUrls") String text) {
        DatabaseUrl url = parsed(text);
        Assume.that(url != null && url.kind() != DatabaseUrl.Kind.OTHER);
        assertThat(url.toString().chars().noneMatch(Character::isISOControl)).isTrue();
        assertThat(DatabaseUrl.parse(url.toString())).isEqualTo(url).hasToString(url.toString());
    }

    /** URLs of many databases, valid and invalid, with {@code *} in the place of the password. */
    @Provide
    Arbitrary<String> aroundPassword() {
        return Arbitraries.of(
                "postgresql://joe:*@h/db",
                "postgresql+psycopg2://joe:*@h/db",
                "postgres://joe:*@h1,h2:7/db",
                "postgresql:joe:*@h/db",
                "postgresql:/joe:*@h/db",
                "postgresql//joe:*@h/db",
                "postgresql://joe:*@/db",
                "postgresql://joe:*@h:x/db",
                "postgresql://joe:*@h/db/x",
                "postgresql://joe:*@h/db?ssl=banana",
                "postgresql://joe:*@h/db?x",
                "postgresql://joe@tenant:*@h/db",
                "postgresql://:*@h/db",
                "postgresql://joe:*",
                "postgresql://joe:*/db",
                "jdbc:postgresql:joe:*@h",
                "jdbc:postgresql://joe/*@h/db",
                "jdbc:postgresql://h/db?user=joe&password=*",
                "jdbc:postgresql://h/db?password=*&user=joe",
                "jdbc:postgresql://h/db?password=*&x",
                "jdbc:postgresql://h/db?PASSWORD=*&password=*",
                "jdbc:postgresql://h/db?sslpassword=*&sslmode=x",
                "jdbc:postgresql://h/db?%70assword=*",
                "jdbc:postgresql://h/db;password=*",
                "jdbc:postgresql://h:x/db?password=*",
                "jdbc:sqlite:/app.db?password=*",
                "jdbc:sqlite:file:/app.db?mode=x&key=*",
                "jdbc:sqlite://joe:*@h/db",
                "sqlite://joe:*@h/db",
                "sqlite+pysqlcipher://:*@/app.db",
                "jdbc:h2:mem:x;USER=joe;PASSWORD=*",
                "jdbc:h2:mem:x;PASSWORD=*;USER=joe",
                "jdbc:sqlserver://h;user=joe;password=*;encrypt=true",
                "jdbc:mysql://joe:*@h/db",
                "jdbc:mysql://h/db?user=joe&password=*",
                "jdbc:oracle:thin:joe/*@h:1521:x",
                "jdbc:db2://h:50000/db:user=joe;password=*;",
                "mysql://joe:*@h/db",
                "joe:*@h/db",
                "host=h user=joe password=*",
                "*");
    }

    @Property(tries = 3000)
    void a_password_is_never_shown(@ForAll("aroundPassword") String around, @ForAll("passwords") String password) {
        String query = PercentEncoding.encode(password).replace("/", "%2F");
        // If a URL has no host, the text after an @ counts as the host.
        boolean plain = around.contains("*@") || password.indexOf('@') < 0;
        boolean separates = password.contains("&") || password.contains("?"); // the rest is another parameter
        // If no @ follows, joe:1/x is a host, a port and a database, and joe:1,x is two hosts.
        boolean port = around.matches("postgresql://joe:\\*(/db)?") && password.matches("[0-9]{1,5}[/,].*");
        String inside = plain && !separates && !port ? password : query;
        for (String url : List.of(
                around.replace("*", query),
                around.replace("*", inside),
                PercentEncoding.encode(around.replace("*", inside)),
                PercentEncoding.encode(around.replace("*", inside)).replace("/", "%2F"),
                around.substring(0, around.indexOf(':') + 1)
                        + PercentEncoding.encode(around.substring(around.indexOf(':') + 1)
                                        .replace("*", inside))
                                .replace("/", "%2F"),
                around.replace("*", query) + "\n",
                around.replace("*", inside) + " ")) {
            assertThat(shown(url)).doesNotContain(PASSWORD);
        }
    }

    /** Passwords that contain an unmistakable word and characters with a meaning in URLs. */
    @Provide
    Arbitrary<String> passwords() {
        return Arbitraries.strings()
                .withChars("ab1@:/;,=?&%+#[]{}'\" .\\")
                .ofMaxLength(5)
                .tuple2()
                .map(ends -> ends.get1() + PASSWORD + ends.get2());
    }

    /** All texts from a URL that a log or a stack trace can show. */
    private static String shown(String url) {
        try (EngineCache cache = EngineCache.create(
                (ignored, settings) -> {
                    throw new IllegalStateException("no database");
                },
                EngineSettings.defaults())) {
            DatabaseUrl parsed = DatabaseUrl.parse(url);
            StringBuilder shown = new StringBuilder(parsed + " " + parsed.parameters() + parsed.name());
            for (DatabaseUrl other : List.of(parsed, DatabaseUrl.parse(url + "x"))) {
                shown.append(parsed.differencesTo(other));
            }
            try {
                cache.engine(url);
            } catch (EngineException e) {
                shown.append(trace(e));
            }
            return shown.append(cache).toString();
        } catch (InvalidDatabaseUrlException e) {
            return trace(e);
        }
    }

    private static String trace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @SuppressWarnings("NullAway")
    private static DatabaseUrl parsed(String text) {
        try {
            return DatabaseUrl.parse(text);
        } catch (InvalidDatabaseUrlException e) {
            return null;
        }
    }
}
