package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.DatabaseUrl.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {
    private static final String SYSTEM_USER = System.getProperty("user.name");

    @Nested
    class In_memory {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "jdbc:sqlite::memory:",
                    "JDBC:SQLite::memory:",
                    "jdbc:sqlite:",
                    "jdbc:sqlite:file::memory:",
                    "jdbc:sqlite:file::memory:?cache=shared",
                    "jdbc:sqlite:file:?mode=memory",
                    "jdbc:sqlite:file:#x",
                    "jdbc:sqlite:file://",
                    "jdbc:sqlite:file://localhost?mode=memory",
                    "jdbc:sqlite::memory:?",
                    "sqlite://",
                    "sqlite:///",
                    "sqlite:///:memory:",
                    "sqlite://?foreign_keys=on",
                    "SQLITE:///:memory:"
                })
        void all_spellings_of_the_unnamed_database_are_equal(String text) {
            DatabaseUrl url = DatabaseUrl.parse(text);
            assertThat(url).isEqualTo(DatabaseUrl.parse("jdbc:sqlite::memory:"));
            assertThat(url.kind()).isEqualTo(Kind.SQLITE_MEMORY);
            assertThat(url.name()).isEmpty();
            assertThat(url.toString()).startsWith("jdbc:sqlite::memory:");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "jdbc:sqlite:file:orders 1?mode=memory",
                    "jdbc:sqlite:file:orders%201?mode=memory",
                    "jdbc:sqlite:FILE:orders%201?mode=memory",
                    "jdbc:sqlite:file:orders%201?mode=memory&cache=shared",
                    "jdbc:sqlite:file:orders%201?cache=private&mode=memory",
                    "jdbc:sqlite:file:orders%201?vfs=memdb",
                    "jdbc:sqlite:file:/orders%201?vfs=memdb",
                    "jdbc:sqlite:file:///orders%201?vfs=memdb#fragment",
                    "jdbc:sqlite:file://localhost/orders%201?vfs=memdb",
                    "sqlite:///file:orders%201?mode=memory&cache=shared&uri=true"
                })
        void all_spellings_of_a_named_database_are_equal(String text) {
            DatabaseUrl url = DatabaseUrl.parse(text);
            assertThat(url).isEqualTo(DatabaseUrl.parse("jdbc:sqlite:file:orders%201?mode=memory"));
            assertThat(url).hasSameHashCodeAs(DatabaseUrl.parse("jdbc:sqlite:file:orders%201?mode=memory"));
            assertThat(url).isNotEqualTo(DatabaseUrl.parse("jdbc:sqlite:file:Orders%201?mode=memory"));
            assertThat(url).isNotEqualTo(DatabaseUrl.parse("jdbc:sqlite:file:orders%201"));
            assertThat(url.name()).isEqualTo("orders 1");
            assertThat(url.parameters()).isEmpty();
            assertThat(url).hasToString("jdbc:sqlite:file:orders%201?mode=memory");
        }

        @ParameterizedTest
        @CsvSource({
            "jdbc:sqlite:file:?immutable=1,              jdbc:sqlite:file::memory:?immutable=1",
            "jdbc:sqlite:file::memory:?a=b&nolock=1,     jdbc:sqlite:file::memory:?a=b&nolock=1",
            "jdbc:sqlite::memory:?a=b,                   jdbc:sqlite::memory:?a=b",
            "jdbc:sqlite:file:////a?mode=memory,         jdbc:sqlite:file:////a?mode=memory",
            "jdbc:sqlite:file:%2F%2Fa?mode=memory,       jdbc:sqlite:file:////a?mode=memory",
            "jdbc:sqlite:file:a/b%3F?vfs=memdb,          jdbc:sqlite:file:a/b%3F?mode=memory",
        })
        void parsing_the_normal_form_returns_an_equal_url(String text, String normal) {
            DatabaseUrl url = DatabaseUrl.parse(text);
            assertThat(url).hasToString(normal);
            assertThat(DatabaseUrl.parse(normal)).isEqualTo(url).hasToString(normal);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "sqlite+pysqlite:///:memory:",
                    "sqlite+aiosqlite://",
                    "SQLite+PySQLite:///:memory:?foreign_keys=on"
                })
        void driver_names_of_sqlalchemy_are_ignored(String text) {
            assertThat(DatabaseUrl.parse(text)).isEqualTo(DatabaseUrl.parse("jdbc:sqlite::memory:"));
        }

        @Test
        void a_leading_slash_in_the_name_distinguishes_databases() {
            assertThat(DatabaseUrl.parse("jdbc:sqlite:file:////a?mode=memory"))
                    .isNotEqualTo(DatabaseUrl.parse("jdbc:sqlite:file:a?mode=memory"));
        }

        @Test
        void other_parameters_are_kept() {
            DatabaseUrl url = DatabaseUrl.parse("jdbc:sqlite:file:a?mode=memory&foreign_keys=on&psow=0");
            assertThat(url.parameters()).isEqualTo(Map.of("foreign_keys", "on", "psow", "0"));
            assertThat(url).hasToString("jdbc:sqlite:file:a?mode=memory&foreign_keys=on&psow=0");
        }
    }

    @Nested
    class In_a_file {
        private final Path folder;

        In_a_file(@TempDir Path folder) throws IOException {
            this.folder = folder.toRealPath();
        }

        @Test
        void all_spellings_of_a_path_are_equal() throws IOException {
            Path file = folder.resolve("a b.db");
            Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
            assertSame(
                    Kind.SQLITE_FILE,
                    file.toString(),
                    "jdbc:sqlite:" + file,
                    "jdbc:sqlite:" + folder + "/x/.././a b.db",
                    "jdbc:sqlite:" + link + "/a b.db",
                    "jdbc:sqlite:file:" + folder + "/a%20b.db",
                    "jdbc:sqlite:file://" + folder + "/a%20b.db",
                    "jdbc:sqlite:file://localhost" + folder + "/a%20b.db#x?y",
                    "jdbc:sqlite:file:" + file + "?mode=rw",
                    "sqlite:///" + file,
                    "sqlite:///" + file + "?journal_mode=DELETE");
            Files.createFile(file);
            assertThat(DatabaseUrl.parse("sqlite:///" + link + "/a b.db")).hasToString("jdbc:sqlite:" + file);
        }

        @Test
        void a_relative_path_is_resolved_against_the_working_directory() throws IOException {
            String absolute = Path.of("").toRealPath().resolve("app.db").toString();
            assertSame(
                    Kind.SQLITE_FILE,
                    absolute,
                    "jdbc:sqlite:app.db",
                    "sqlite:///app.db",
                    "jdbc:sqlite:file:app.db",
                    "jdbc:sqlite:./app.db");
        }

        /** A link may lead elsewhere later, so its text is no alias. */
        @Test
        void a_path_through_a_link_is_marked_as_such() throws IOException {
            Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
            assertThat(DatabaseUrl.parse("jdbc:sqlite:" + link + "/a.db").throughLink)
                    .isTrue();
            assertThat(DatabaseUrl.parse("jdbc:sqlite:" + folder + "/a.db").throughLink)
                    .isFalse();
        }

        @Test
        void parameters_of_sqlite_stay_in_the_driver_url_and_the_others_become_properties() {
            DatabaseUrl url = DatabaseUrl.parse("jdbc:sqlite:file:" + folder + "/a.db?mode=ro&foreign_keys=on");
            assertThat(url.jdbcUrl()).isEqualTo("jdbc:sqlite:file:" + folder + "/a.db?mode=ro");
            assertThat(url.driverProperties()).isEqualTo(Map.of("foreign_keys", "on"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"jdbc:sqlite:file:///C:/data/a.db", "sqlite:///file:///C:/data/a.db"})
        void a_windows_drive_may_follow_a_slash(String text) {
            assertThat(DatabaseUrl.parse(text).kind()).isEqualTo(Kind.SQLITE_FILE);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "jdbc:sqlite:file:///C:/mail/joe@example.com.db",
                    "jdbc:sqlite:/mail/12:30/joe@example.com.db",
                    "sqlite:////mail/12:30/joe@example.com.db"
                })
        void colons_and_at_signs_in_a_path_are_not_taken_for_a_password(String text) {
            assertThat(DatabaseUrl.parse(text).name()).endsWith("joe@example.com.db");
        }

        @ParameterizedTest
        @CsvSource({
            "jdbc:sqlite:/a.db,                           jdbc:sqlite:/a.db",
            "jdbc:sqlite:/a%20b.db,                       jdbc:sqlite:/a%20b.db",
            "jdbc:sqlite:/a#b.db,                         jdbc:sqlite:/a#b.db",
            "jdbc:sqlite:/a.db?foreign_keys=o%6E,         jdbc:sqlite:/a.db?foreign_keys=on",
            "jdbc:sqlite:/a.db?key=hunter2,               jdbc:sqlite:/a.db?key=***",
            "jdbc:sqlite:file:/a%3Fb.db,                  jdbc:sqlite:file:/a%3Fb.db",
            "jdbc:sqlite:file:/a%0Ab,                     jdbc:sqlite:file:/a%0Ab",
            "jdbc:sqlite:file:/a%20,                      jdbc:sqlite:file:/a%20",
            "jdbc:sqlite:file:/a.db?x=y&mode=ro,          jdbc:sqlite:file:/a.db?mode=ro&x=y",
        })
        void the_normal_form_is_shown_with_its_parameters_sorted(String text, String normal) {
            DatabaseUrl url = DatabaseUrl.parse(text);
            assertThat(url).hasToString(normal);
            assertThat(DatabaseUrl.parse(url.toString())).isEqualTo(url).hasToString(normal);
        }
    }

    @Nested
    class On_a_server {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "postgresql://joe@db.example.com/app",
                    "postgres://joe@db.example.com:5432/app",
                    "POSTGRESQL://joe:secret@DB.Example.COM/app",
                    "jdbc:postgresql://joe@db.example.com/app",
                    "jdbc:postgresql://db.example.com/app?user=joe&password=secret",
                    "jdbc:postgresql://joe@db.example.com:05432/app?user=joe",
                    "jdbc:postgresql://db.example.com/app?sslmode=require&user=joe",
                    "postgresql://joe@db.example.com/%61pp",
                    "postgresql+psycopg2://joe@db.example.com/app",
                    "postgresql+psycopg2cffi://joe:a%40b@db.example.com/app",
                    "postgresql+psycopg://joe@db.example.com/app",
                    "postgresql+asyncpg://joe@db.example.com/app",
                    "postgresql+pg8000://joe@db.example.com/app",
                    "postgres+py-postgresql://joe@db.example.com/app"
                })
        void all_spellings_of_a_server_are_equal(String text) {
            assertSame(Kind.POSTGRESQL, "app", "postgresql://joe@db.example.com:5432/app", text);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "postgresql://joe@db.example.com/App",
                    "postgresql://joe@db.example.com:5433/app",
                    "postgresql://ann@db.example.com/app",
                    "postgresql://db.example.com/app",
                    "postgresql://joe@db.example.org/app",
                    "postgresql://joe@db.example.com,db2.example.com/app",
                    "jdbc:sqlite:app"
                })
        void urls_of_different_servers_or_databases_are_not_equal(String text) {
            assertThat(DatabaseUrl.parse(text)).isNotEqualTo(DatabaseUrl.parse("postgresql://joe@db.example.com/app"));
        }

        @ParameterizedTest
        @CsvSource({
            "postgresql://joe@h/app,                   jdbc:postgresql://joe@h:5432/app,              app",
            "postgresql://joe:secret@h/app,            jdbc:postgresql://joe:***@h:5432/app,          app",
            "postgresql://joe@h,                       jdbc:postgresql://joe@h:5432/joe,              joe",
            "postgresql://joe@h/,                      jdbc:postgresql://joe@h:5432/joe,              joe",
            "jdbc:postgresql:app?user=joe,             jdbc:postgresql://joe@localhost:5432/app,      app",
            "jdbc:postgresql:/app?user=joe,            jdbc:postgresql://joe@localhost:5432/app,      app",
            "postgresql://joe@[0:0:0:0:0:0:0:1]/app,   jdbc:postgresql://joe@[0:0:0:0:0:0:0:1]:5432/app, app",
            "postgresql://joe@[::1]:7/app,             jdbc:postgresql://joe@[0:0:0:0:0:0:0:1]:7/app, app",
            "'postgresql://joe@h1,h2:7/app',           'jdbc:postgresql://joe@h1:5432,h2:7/app',      app",
            "postgresql://j%40o%2Fe:s%3A@h/a%2Fb,      jdbc:postgresql://j%40o%2Fe:***@h:5432/a%2Fb,  a/b",
            "postgresql://joe@h/a+b,                   jdbc:postgresql://joe@h:5432/a%2Bb,            a+b",
            "jdbc:postgresql://joe@h/a+b,              jdbc:postgresql://joe@h:5432/a%20b,            a b",
            "postgresql://joe@h/app?b=2&a=1&,          jdbc:postgresql://joe@h:5432/app?a=1&b=2,      app",
            "postgresql://joe@h/app?sslpassword=x,     jdbc:postgresql://joe@h:5432/app?sslpassword=***, app",
            "postgresql://joe@[::ffff:1.2.3.4]/app,    jdbc:postgresql://joe@1.2.3.4:5432/app,        app",
            "postgresql://joe@BÜCHER.example/app,      jdbc:postgresql://joe@xn--bcher-kva.example:5432/app, app",
            "jdbc:postgresql://h/app?user=joe@tenant,  jdbc:postgresql://joe%40tenant@h:5432/app,     app",
            "postgresql://joe@tenant:a@h/app,          jdbc:postgresql://joe%40tenant:***@h:5432/app, app",
            "postgresql://joe:a:b@c@h/app,             jdbc:postgresql://joe:***@h:5432/app,          app",
            "postgresql://joe@h:1/app,                 jdbc:postgresql://joe@h:1/app,                 app",
            "postgresql://joe@h:65535/app,             jdbc:postgresql://joe@h:65535/app,             app",
        })
        void the_normal_form_is_shown_with_the_password_masked(String text, String normal, String name) {
            DatabaseUrl url = DatabaseUrl.parse(text);
            assertThat(url).hasToString(normal);
            assertThat(url.name()).isEqualTo(name);
            assertThat(DatabaseUrl.parse(url.toString())).isEqualTo(url).hasToString(normal);
        }

        @Test
        void the_operating_system_user_is_the_default_user() {
            assertThat(DatabaseUrl.parse("postgresql://h/app"))
                    .isEqualTo(DatabaseUrl.parse("postgresql://" + SYSTEM_USER + "@h/app"));
            assertThat(DatabaseUrl.parse("postgresql://h").name()).isEqualTo(SYSTEM_USER);
        }

        @Test
        void an_empty_user_means_the_operating_system_user() {
            assertThat(DatabaseUrl.parse("postgresql://@h/app")).isEqualTo(DatabaseUrl.parse("postgresql://h/app"));
        }

        @Test
        void a_host_above_the_maximum_length_of_a_domain_name_is_rejected() {
            String longest = "a".repeat(63) + "." + "b".repeat(63) + "." + "c".repeat(63) + "." + "d".repeat(61);

            assertThat(DatabaseUrl.parse("postgresql://joe@" + longest + "/app"))
                    .hasToString("jdbc:postgresql://joe@" + longest + ":5432/app");
            assertThatThrownBy(() -> DatabaseUrl.parse("postgresql://joe@" + longest + "d/app"))
                    .hasMessageContaining("not a valid domain name");
        }

        @Test
        void all_passwords_of_a_url_are_secrets() {
            DatabaseUrl url = DatabaseUrl.parse("postgresql://joe:hunter2@h/app?sslpassword=hunter3&ssl=true");
            assertThat(url.secrets()).containsExactly("hunter2", "hunter3");
        }

        @Test
        void the_parameters_contain_no_secret() {
            DatabaseUrl url = DatabaseUrl.parse("jdbc:postgresql://h/app?sslpassword=hunter2&ssl=true");
            assertThat(url.parameters()).isEqualTo(Map.of("ssl", "true"));
            assertThat(url.driverProperties()).containsEntry("sslpassword", "hunter2");
        }

        @Test
        void a_password_parameter_may_contain_an_at_sign() {
            DatabaseUrl url = DatabaseUrl.parse("jdbc:postgresql://h/app?user=joe&password=a@b&sslpassword=c@d");
            assertThat(url.driverProperties()).containsEntry("password", "a@b").containsEntry("sslpassword", "c@d");
        }

        @Test
        void a_url_without_a_password_accepts_any_password() {
            DatabaseUrl open = DatabaseUrl.parse("postgresql://joe:hunter2@h/app");
            assertThat(open.differencesTo(DatabaseUrl.parse("postgresql://joe@h/app")))
                    .isEmpty();
            assertThat(open.differencesTo(DatabaseUrl.parse("postgresql://joe:x@h/app")))
                    .containsExactly("the password");
        }

        @Test
        void the_parameters_contain_neither_user_nor_password() {
            DatabaseUrl url = DatabaseUrl.parse("jdbc:postgresql://h/app?user=joe&password=hunter2&ssl=true");
            assertThat(url.parameters()).isEqualTo(Map.of("ssl", "true"));
        }
    }

    @Nested
    class Of_another_database {
        @ParameterizedTest
        @CsvSource({
            "jdbc:h2:mem:x,                                   jdbc:h2:mem:x",
            "jdbc:h2:~/data/app,                              jdbc:h2:~/data/app",
            "jdbc:h2:mem:x;USER=joe;PASSWORD=hunter2,         jdbc:h2:mem:x;...",
            "jdbc:h2:mem:x;USER=joe;PASSWORD=hunter2@b,       jdbc:h2:...",
            "jdbc:h2:mem:x;USER=joe;PASSWORD=a;hunter2@b,     jdbc:h2:...",
            "jdbc:mysql://h:3306/db?password=hunter2,         jdbc:mysql://h:3306/db?...",
            "jdbc:mysql://h/db,                               jdbc:mysql://h/db",
            "'jdbc:mysql://h1:3306,h2/db',                    'jdbc:mysql://h1:3306,h2/db'",
            "jdbc:mysql://joe:hunter2@h/db,                   jdbc:mysql:...",
            "jdbc:mysql://joe:hunter2/db,                     jdbc:mysql:...",
            "jdbc:mysql://joe:hunter2,                        jdbc:mysql:...",
            "jdbc:mysql://joe:1hunter2,                       jdbc:mysql:...",
            "jdbc:mysql://joe%3Ahunter2%40h/db,               jdbc:mysql:...",
            "jdbc:mysql://joe:a?hunter2@h/db,                 jdbc:mysql:...",
            "jdbc:db2://h:50000/db:password=hunter2;user=joe, jdbc:db2:...",
            "jdbc:oracle:thin:joe/hunter2@h:1521:x,           jdbc:oracle:...",
            "jdbc:sqlserver://[::1]:1433;password={hunter2;}, jdbc:sqlserver://[::1]:1433;...",
            "jdbc:postgres://joe:hunter2@h/db,                jdbc:postgres:...",
        })
        void urls_of_other_kinds_are_compared_by_text_and_shown_without_secrets(String text, String shown) {
            DatabaseUrl url = DatabaseUrl.parse(text);
            assertThat(url.kind()).isEqualTo(Kind.OTHER);
            assertThat(url).hasToString(shown).isEqualTo(DatabaseUrl.parse(text));
            assertThat(url).isNotEqualTo(DatabaseUrl.parse(text + "x"));
            assertThat(url.name()).isEqualTo(shown);
            assertThat(url.parameters()).isEmpty();
            assertThat(url.driverProperties()).isEmpty();
            assertThat(url.jdbcUrl()).isEqualTo(text);
        }
    }

    @Nested
    class Invalid_urls {
        @ParameterizedTest
        @NullSource
        @ValueSource(strings = {"", "  \t"})
        void an_empty_url_is_rejected(String text) {
            assertInvalid(text, "it is empty", "jdbc:sqlite:PATH");
        }

        @ParameterizedTest
        @ValueSource(strings = {"h2:mem:x", "/data/app.db", "mysql://h/db", "jdbc:", "jdbc:x", "jdbc:x:", "jdbc::x"})
        void an_unknown_scheme_is_rejected(String text) {
            assertInvalid(text, "unknown scheme", "postgresql://HOST/DATABASE");
        }

        @ParameterizedTest
        @CsvSource({
            ":memory:,          use jdbc:sqlite::memory: or sqlite:///:memory:",
            ":memory:?cache=a,  use jdbc:sqlite::memory: or sqlite:///:memory:",
            "file:app.db,       write jdbc:sqlite: before it",
        })
        void a_path_without_a_scheme_is_rejected_with_a_hint(String text, String hint) {
            assertInvalid(text, "unknown scheme", hint);
        }

        @Test
        void a_url_that_is_too_long_is_rejected() {
            assertInvalid("jdbc:sqlite:" + "x".repeat(10_000), "it has 10012 characters; at most 4096 are supported");
            assertThat(DatabaseUrl.parse("jdbc:sqlite:file:" + "x".repeat(4000) + "?mode=memory")
                            .name())
                    .hasSize(4000);
        }

        @ParameterizedTest
        @CsvSource({
            "sqlite:app.db,                         not followed by //",
            "sqlite:/app.db,                        not followed by //",
            "sqlite://host/app.db,                  no hosts",
            "jdbc:sqlite::resource:app.db,          copy it to a file",
            "jdbc:sqlite:app?mode=memory,           only after file:",
            "jdbc:sqlite:app?cache=shared,          only after file:",
            "jdbc:sqlite:file://host/app.db,        files on this machine",
            "jdbc:sqlite:file://host,               files on this machine",
            "jdbc:sqlite:file:a%zz,                 write a percent sign as %25",
            "jdbc:sqlite:app?foreign_keys=%f,       write a percent sign as %25",
            "jdbc:sqlite:file:a%00b,                contains %00",
            "jdbc:sqlite:file:a%00b?mode=memory,    contains %00",
            "jdbc:sqlite:app?password=%00,          contains %00",
            "jdbc:sqlite:app?date_string_format=%00, contains %00",
            "jdbc:sqlite:file:a?vfs=other&mode=memory, supports only the vfs memdb",
            "sqlite+pysqlcipher:///app.db,          encrypted databases are not supported",
            "sqlite+pysqlite:/app.db,               not followed by //",
            "jdbc:sqlite:app?foreign_keys,          no name or no value",
            "jdbc:sqlite:app?=on,                   no name or no value",
            "jdbc:sqlite:app?a=1&a=1,               given twice",
            "jdbc:sqlite:app?hexkey_mode=SQLCIPHER&password=%22x, must be hexadecimal digits",
            "jdbc:sqlite:app?hexkey_mode=sse&password=xyz, must be hexadecimal digits",
            "' jdbc:sqlite:app',                    starts or ends with a blank",
            "'jdbc:sqlite:app ',                    starts or ends with a blank",
        })
        void an_invalid_sqlite_url_is_rejected_with_the_reason(String text, String reason) {
            assertInvalid(text, "Invalid database URL \"", reason);
        }

        @ParameterizedTest
        @CsvSource({
            "jdbc:postgresql:,                              there is no host",
            "jdbc:postgresql:/,                             there is no host",
            "jdbc:postgresql:?user=joe,                     there is no host",
            "jdbc:postgresql://,                            there is no host",
            "postgresql:///app,                             there is no host",
            "postgresql://joe@/app,                         there is no host",
            "postgresql://:5432/app,                        there is no host",
            "'postgresql://h1,,h2/app',                     there is no host",
            "'postgresql://h1,/app',                        there is no host",
            "postgresql:app,                                not followed by //",
            "postgresql://h:0/app,                          not between 1 and 65535",
            "postgresql://h:65536/app,                      not between 1 and 65535",
            "postgresql://h:/app,                           there is no HOST:PORT",
            "postgresql://%2Fvar%2Frun/app,                 there is no HOST:PORT",
            "postgresql://[::1/app,                         there is no HOST:PORT",
            "postgresql://[1:2:3]/app,                      not an IPv6 address",
            "postgresql://h/a/b,                            more than the name",
            "jdbc:postgresql://h/a;b=c,                     more than the name",
            "postgresql://a..b/app,                         not a valid domain name",
            "postgresql://h/%zz,                            write a percent sign as %25",
            "postgresql://h/app?a=%,                        write a percent sign as %25",
            "jdbc:postgresql://h/app?PGHOST=other,          the parameter PGHOST names a server or database",
            "postgresql://h/app?dbname=x,                   the parameter dbname names a server or database",
            "postgresql://h/a%00b,                          contains %00",
            "postgresql://a%00b@h/app,                      contains %00",
            "postgresql://joe:a%00b@h/app,                  contains %00",
            "postgresql://h/app?ApplicationName=%00,        contains %00",
            "postgresql://h/app?a%00b=c,                    contains %00",
            "postgresql://h/app?a b=c,                      contains an invalid character",
            "postgresql://joe%3Ax@h/app,                    a colon in the user",
            "postgresql://h/app?user=joe:x,                 a colon in the user",
            "postgresql://%3Ahunter2@h/app,                 a colon in the user",
            "jdbc:postgresql:joe%3Ax%40h%2Fdb,              percent-encoded as a whole",
            "postgresql://h/app?ApplicationName=a@b,        an @ in a parameter",
            "jdbc:postgresql://joe@h/app?user=ann,          one user before the host and another",
        })
        void an_invalid_postgresql_url_is_rejected_with_the_reason(String text, String reason) {
            assertInvalid(
                    text, "Invalid database URL \"" + text.substring(0, text.indexOf("ql:") + 3) + "...\": ", reason);
        }

        static String[] withPassword() {
            return new String[] {
                "mysql://joe:hunter2@h/db",
                "postgresql:joe:hunter2@h/db",
                "postgresql://joe:hunter2@/db",
                "postgresql://joe:hunter2/db",
                "postgresql://joe:hunter2@h:x/db",
                "postgresql://joe:a/hunter2@h/db",
                "postgresql://joe:1/hunter2@h/db",
                "postgresql://joe:1/hunter2@h",
                "postgresql://joe:1?ssl=hunter2",
                "postgresql://h/password=hunter2",
                "postgresql://joe:a?hunter2@h/db",
                "postgresql://joe:hunter2%@h/db",
                "postgresql://joe:hunter2@h/db?password=hunter3",
                "jdbc:postgresql://h/db?password=hunter2&password=hunter2",
                "jdbc:postgresql://h/db?password=x&hunter2",
                "postgresql%3A%2F%2Fjoe%3Ahunter2%40h%2Fdb",
                "jdbc%3Apostgresql%3A%2F%2Fjoe%3Ahunter2%40h%2Fdb",
                "postgresql://joe%3Ahunter2%40h%2Fdb",
                "postgresql://joe%3Ahunter2@h/db",
                "jdbc:postgresql:joe%3Ahunter2%40h%2Fdb",
                "jdbc:postgresql:joe:hunter2",
                "jdbc:postgresql://h:x/db?password=a@hunter2",
                "jdbc:postgresql://h:x/db?user=joe&password=hunter2@b",
                "postgresql://joe:1?hunter2@h/db?a=b",
                "postgresql://joe:1?a=hunter2@h/db",
                "postgresql+psycopg2://joe:hunter2@h:x/db",
                "sqlite://joe:hunter2@h/app.db",
                "sqlite://joe%3Ahunter2%40h/app.db",
                "jdbc:sqlite://joe:hunter2@h/app.db",
                "jdbc:sqlite:http://joe:hunter2@h/app.db",
                "jdbc:sqlite:file:%2F%2Fjoe%3Ahunter2%40h/app.db",
                "jdbc:sqlite:%2F%2Fjoe%3Ahunter2%40h",
                "jdbc:sqlite:%2F%2Fjoe%3Ahunter2%40h%00",
                "jdbc:sqlite:%2F%2Fjoe%3Ahunter2%40h%zz",
                "sqlite+pysqlcipher://:hunter2@/app.db",
                "jdbc:postgresql://joe:hunter2@[1:2:3]/db",
                "postgresql://joe:@hunter2..h/db",
                "postgresql://[1:hunter2]/db",
                "jdbc:h2:mem:x;USER=joe;PASSWORD=hunter2\n",
                "hunter2",
                "jdbc:postgresql://h/db?password=hunter2&dbname=y",
                "postgresql://joe:hunter2@h/db ",
                "postgresql://joe@tenant:hunter2@h:x/db",
                "postgresql://joe@tenant:hunter2@h/db/x",
                "jdbc:postgresql://h/db;password=hunter2",
                "jdbc:postgresql://h/db;hunter2",
                "jdbc:sqlite://j%2Fe:hunter2@h/app.db",
                "host=h user=joe password=hunter2",
                "postgresql://joe:\u0007hunter2@h/db"
            };
        }

        @ParameterizedTest
        @MethodSource("withPassword")
        void an_exception_for_an_invalid_url_shows_no_password(String text) {
            assertThatThrownBy(() -> DatabaseUrl.parse(text))
                    .isExactlyInstanceOf(InvalidDatabaseUrlException.class)
                    .satisfies(failure -> {
                        for (Throwable t = failure; t != null; t = t.getCause()) {
                            assertThat(t.toString()).doesNotContain("hunter");
                        }
                    });
        }

        @Tag("slow")
        @ParameterizedTest
        @ValueSource(
                strings = {"", "jdbc:sqlite:", "jdbc:sqlite:file:", "postgresql://", "jdbc:postgresql:", "jdbc:h2:"})
        @Timeout(20)
        void parsing_time_is_linear(String start) {
            for (String part : new String[] {
                "/", ":", "@", "%", "%41", "?", "&", "=", ",", "[", "]", ";", ".", "a", "\u00fc", "//", "/:", "//:",
                "a/", "../", "a/../", "?a=b&", "&a=", ":a@", "a,", "a."
            }) {
                String most = start + part.repeat((4096 - start.length()) / part.length());
                for (String text : new String[] {most, most + "\n", start + part.repeat(1_000_000)}) {
                    try {
                        assertThat(DatabaseUrl.parse(text)).isEqualTo(DatabaseUrl.parse(text));
                    } catch (InvalidDatabaseUrlException e) {
                        assertThat(e.getMessage()).hasSizeLessThan(400);
                    }
                }
            }
        }

        @Test
        void an_unpaired_surrogate_is_rejected() {
            assertInvalid("jdbc:sqlite:file:\ud800?mode=memory", "half a character");
        }

        @Test
        void a_control_character_is_reported_with_its_position() {
            assertInvalid("jdbc:sqlite:a\nb", "jdbc:sqlite:...", "character 14 is a control character");
        }

        private static void assertInvalid(String text, String... parts) {
            assertThatThrownBy(() -> DatabaseUrl.parse(text))
                    .isInstanceOf(EngineException.class)
                    .isExactlyInstanceOf(InvalidDatabaseUrlException.class)
                    .hasMessageContainingAll(parts);
        }
    }

    /** Engines are looked up by URL, so a constant hash code would make each lookup a search. */
    @Test
    void different_urls_have_different_hash_codes() {
        assertThat(Arrays.asList("jdbc:sqlite:a", "jdbc:sqlite:b", "postgresql://h/a", "jdbc:h2:mem:a"))
                .map(text -> DatabaseUrl.parse(text).hashCode())
                .doesNotHaveDuplicates();
    }

    @Test
    void a_url_equals_no_string() {
        assertThat(DatabaseUrl.parse("jdbc:sqlite:")).isNotEqualTo("jdbc:sqlite::memory:");
        assertThat(DatabaseUrl.parse("jdbc:sqlite:")).isNotEqualTo(null);
    }

    @Test
    void parameters_cannot_be_changed() {
        assertThatThrownBy(() -> DatabaseUrl.parse("jdbc:sqlite:a").parameters().put("a", "b"))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    private static void assertSame(Kind kind, String name, String... texts) {
        assertThat(Arrays.stream(texts).map(DatabaseUrl::parse).distinct()).hasSize(1);
        assertThat(Arrays.stream(texts).map(DatabaseUrl::parse)).allSatisfy(url -> {
            assertThat(url.kind()).isEqualTo(kind);
            assertThat(url.name()).isEqualTo(name);
        });
    }
}
