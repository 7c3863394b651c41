package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.url.PermittedValues;
import dev.oneengine.cache.url.UrlSyntaxException;
import dev.oneengine.testing.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.sqlite.JDBC;

class PermittedValuesTest {
    static Stream<String> ofSqlite() {
        return PermittedValues.SQLITE.names().stream().sorted();
    }

    static Stream<String> ofPostgresql() {
        return PermittedValues.POSTGRESQL.names().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("ofSqlite")
    void invalid_values_of_sqlite_parameters_are_rejected(String name) {
        for (String value : new String[] {"banana", "%20", "1.5", "on%3B", "99999999999999999999", "'a''b'"}) {
            assertWrong("jdbc:sqlite:file:app.db?" + name + "=" + value, name);
            assertWrong("jdbc:sqlite:file:app?vfs=memdb&" + name + "=" + value, name);
        }
    }

    @ParameterizedTest
    @MethodSource("ofPostgresql")
    void invalid_values_of_postgresql_parameters_are_rejected(String name) {
        for (String value : new String[] {"banana", "%20", "on", "yes", "-2x", "99999999999999999999"}) {
            assertWrong("postgresql://h/db?" + name + "=" + value, name);
        }
    }

    private static void assertWrong(String url, String name) {
        assertThatThrownBy(() -> DatabaseUrl.parse(url))
                .as(url)
                .isInstanceOf(InvalidDatabaseUrlException.class)
                .hasMessageContaining("the parameter " + name + " must be ");
    }

    @ParameterizedTest
    @CsvSource({"foreign_keys=OFF", "foreign_keys=1", "synchronous=NORMAL", "synchronous=2", "encoding='UTF-16le'"})
    @CsvSource({"encoding=utf8", "secure_delete=fast", "cache_size=-2000", "application_id=0x1F", "page_size=8192"})
    @CsvSource({"journal_mode=wal", "jdbc.explicit_readonly=true", "limit_attached=-1", "temp_store_directory='/tmp'"})
    void all_valid_spellings_of_sqlite_values_are_accepted(String parameter) {
        assertThat(DatabaseUrl.parse("jdbc:sqlite:app.db?" + parameter).parameters())
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"none, x", "NONE, \"x", "sse, 0aF", "SQLCIPHER, ''"})
    void the_key_of_an_encrypted_file_may_be_hexadecimal(String mode, String password) {
        DatabaseUrl url = DatabaseUrl.parse("jdbc:sqlite:app.db?hexkey_mode=" + mode + "&password=" + password);
        assertThat(url.driverProperties()).containsEntry("password", password);
    }

    @ParameterizedTest
    @CsvSource({"ssl=TRUE", "ssl=", "sslmode=VERIFY-FULL", "loginTimeout=2.5", "prepareThreshold=-1", "autosave=ALWAYS"
    })
    @CsvSource({"unknownLength=2147483647", "sendBufferSize=-1", "targetServerType=preferSecondary", "gsslib=gssapi"})
    void all_valid_spellings_of_postgresql_values_are_accepted(String parameter) {
        assertThat(DatabaseUrl.parse("postgresql://h/app?" + parameter).parameters())
                .hasSize(1);
    }

    /**
     * Fails after an update of a driver with a new parameter: add its values, or add it here if it accepts any text.
     */
    @Test
    void all_parameters_of_the_drivers_are_known() throws Exception {
        assertThat(unknown(new JDBC(), "jdbc:sqlite:", PermittedValues.SQLITE))
                .containsExactly("date_string_format", "password");
        assertThat(unknown(DriverLoader.load("org.postgresql.Driver"), "jdbc:postgresql:", PermittedValues.POSTGRESQL))
                .containsExactly(
                        "ApplicationName",
                        "PGDBNAME",
                        "PGHOST",
                        "PGPORT",
                        "assumeMinServerVersion",
                        "authenticationPluginClassName",
                        "binaryTransferDisable",
                        "binaryTransferEnable",
                        "connectExecutor",
                        "connectExecutorArg",
                        "currentSchema",
                        "jaasApplicationName",
                        "kerberosServerName",
                        "localSocketAddress",
                        "loggerFile",
                        "loggerLevel",
                        "maxResultBuffer",
                        "options",
                        "password",
                        "pemKeyAlgorithm",
                        "protocolVersion",
                        "replication",
                        "requireAuth",
                        "service",
                        "socketFactory",
                        "socketFactoryArg",
                        "sslcert",
                        "sslfactory",
                        "sslfactoryarg",
                        "sslhostnameverifier",
                        "sslkey",
                        "sslpassword",
                        "sslpasswordcallback",
                        "sslrootcert",
                        "sspiServiceClass",
                        "user",
                        "xmlFactoryFactory");
    }

    private static void check(PermittedValues permitted, String name, String value) {
        try {
            permitted.check(Map.of(name, value));
        } catch (UrlSyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** Also checks that the choices and defaults that a driver reports are permitted. */
    private static Stream<String> unknown(Driver driver, String url, PermittedValues permitted) throws Exception {
        DriverPropertyInfo[] known = driver.getPropertyInfo(url, new Properties());
        for (DriverPropertyInfo property : known) {
            Stream<String> values = Stream.concat(
                    Stream.ofNullable(property.choices).flatMap(Arrays::stream),
                    Stream.ofNullable(property.value).filter(value -> !value.isEmpty()));
            values.forEach(value -> check(permitted, property.name, value));
        }
        return Arrays.stream(known)
                .map(property -> property.name)
                .filter(name -> !permitted.names().contains(name))
                .sorted();
    }

    @Test
    void a_file_is_immutable_only_if_the_url_sets_it(@TempDir Path folder) throws Exception {
        Map<String, Boolean> readOnly = new TreeMap<>();
        for (String value : new String[] {"0", "off", "NO", "false", "1", "ON", "yes", "true"}) {
            DatabaseUrl url = DatabaseUrl.parse("jdbc:sqlite:file:app.db?immutable=" + value);
            readOnly.put(value, SqliteFileCheck.isReadOnly(url));
        }
        assertThat(readOnly.entrySet().stream()
                        .filter(Map.Entry::getValue)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("1", "ON", "yes", "true");

        Path file = folder.resolve("app.db");
        try (EngineCache cache = EngineCache.create()) {
            Engine engine = cache.engine("jdbc:sqlite:file:" + file + "?immutable=0&journal_mode=truncate");
            Sql.execute(engine.dataSource(), "CREATE TABLE plan(id)");
            assertThat(Sql.query(engine.dataSource(), "PRAGMA journal_mode")).isEqualTo("truncate");
        }
        assertThat(Files.size(file)).isPositive();
    }
}
