package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for any URL. */
class DatabaseUrlProperties {
    private static final String PASSWORD = "hunter2";

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings()
                .ofMinLength(1)
                .ofMaxLength(12)
                .filter(name -> StandardCharsets.UTF_8.newEncoder().canEncode(name) && name.indexOf(0) < 0);
    }

    /** Texts put together from what URLs are made of, right and wrong. */
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
    void names_in_memory_are_equal_exactly_where_they_are_the_same(
            @ForAll("names") String one, @ForAll("names") String other) {
        assertThat(inMemory(one).equals(inMemory(other))).isEqualTo(one.equals(other));
        assertThat(inMemory(one).name()).isEqualTo(one);
        assertThat(inMemory(one)).isEqualTo(inMemory(one)).hasSameHashCodeAs(inMemory(one));
    }

    private static DatabaseUrl inMemory(String name) {
        // The one slash in front is SQLite's way to write a name that all connections share.
        return DatabaseUrl.parse("jdbc:sqlite:file:///" + Percent.encode(name) + "?vfs=memdb");
    }

    @Property
    void databases_on_servers_are_equal_exactly_where_user_place_and_name_are(
            @ForAll("places") Place one, @ForAll("places") Place other) {
        assertThat(one.url().equals(other.url())).isEqualTo(one.equals(other));
    }

    record Place(String user, String host, int port, String database) {
        DatabaseUrl url() {
            return DatabaseUrl.parse("postgresql://" + name(user) + "@" + host + ":" + port + "/" + name(database));
        }

        private static String name(String text) {
            return Percent.encode(text).replace("/", "%2F");
        }
    }

    @Provide
    Arbitrary<Place> places() {
        return Combinators.combine(
                        Arbitraries.oneOf(Arbitraries.of("joe", "ann", "j@e"), names()),
                        Arbitraries.of("localhost", "db.example.com", "10.0.0.1"),
                        Arbitraries.of(5432, 5433),
                        Arbitraries.oneOf(Arbitraries.of("app", "App", "a/b"), names()))
                .as(Place::new);
    }

    @Property(maxDiscardRatio = 100)
    void the_text_of_a_url_is_a_url_of_the_same_database(@ForAll("almostUrls") String text) {
        DatabaseUrl url = parsed(text);
        Assume.that(url != null);
        assertThat(url.toString().chars().noneMatch(Character::isISOControl)).isTrue();
        assertThat(DatabaseUrl.parse(url.toString())).isEqualTo(url).hasToString(url.toString());
    }

    @Property
    void a_password_never_shows(
            @ForAll("almostUrls") String text, @ForAll("names") String user, @ForAll("names") String noise) {
        String encoded = Percent.encode(noise).replace("/", "%2F") + PASSWORD;
        for (String url : List.of(
                "postgresql://" + Percent.encode(user) + ":" + encoded + "@" + text,
                "postgresql://joe:" + noise.replace(":", "") + PASSWORD + "@h/" + text.replace(PASSWORD, ""),
                "jdbc:postgresql://h/db?" + text.replace("=", "").replace("&", "") + "=x&password=" + noise + PASSWORD,
                "postgresql://joe:" + encoded + "@h/db?password=" + encoded + text)) {
            try {
                DatabaseUrl parsed = DatabaseUrl.parse(url);
                assertThat(parsed + " " + parsed.parameters() + parsed.name() + parsed.jdbcUrl())
                        .doesNotContain(PASSWORD);
            } catch (InvalidDatabaseUrlException e) {
                assertThat(e.getMessage()).doesNotContain(PASSWORD);
            }
        }
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
