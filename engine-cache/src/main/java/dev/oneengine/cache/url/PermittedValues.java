package dev.oneengine.cache.url;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The permitted values of the parameters of a database. The drivers do not check all of them: SQLite switches a pragma off if its
 * value is unknown, and PostgreSQL's driver reads {@code ssl=yes} as {@code false}.
 *
 * <p>Immutable and thread-safe.
 */
public final class PermittedValues {
    private static final Values COUNT = new Values("a whole number, zero or more", "\\d{1,9}|2147483647");

    private static final Values COUNT_OR_DEFAULT =
            new Values("a whole number, zero or more, or -1", "-1|\\d{1,9}|2147483647");

    /** The parameters of SQLite. */
    public static final PermittedValues SQLITE = new PermittedValues()
            .add(
                    anyCase("on", "off", "true", "false", "yes", "no", "1", "0"),
                    "automatic_index",
                    "case_sensitive_like",
                    "count_changes",
                    "defer_foreign_keys",
                    "empty_result_callback",
                    "foreign_keys",
                    "full_column_names",
                    "fullsync",
                    "immutable",
                    "legacy_alter_table",
                    "legacy_file_format",
                    "nolock",
                    "psow",
                    "read_uncommitted",
                    "recursive_triggers",
                    "reverse_unordered_selects",
                    "short_column_names")
            // The driver itself reads these values, and treats "on" as false.
            .add(
                    anyCase("true", "false"),
                    "enable_load_extension",
                    "jdbc.explicit_readonly",
                    "jdbc.get_generated_keys",
                    "shared_cache")
            .add(anyCase("on", "off", "true", "false", "yes", "no", "1", "0", "fast"), "secure_delete")
            .add(anyCase("off", "normal", "full", "extra", "0", "1", "2", "3"), "synchronous")
            .add(anyCase("default", "file", "memory", "0", "1", "2"), "temp_store")
            .add(new Values("on, off or a number of pages", "(?i)on|off|true|false|yes|no|\\d{1,9}"), "cache_spill")
            .add(anyCase("delete", "truncate", "persist", "memory", "wal", "off"), "journal_mode")
            .add(anyCase("normal", "exclusive"), "locking_mode")
            .add(anyCase("deferred", "immediate", "exclusive"), "transaction_mode")
            .add(anyCase("integer", "text", "real"), "date_class")
            .add(anyCase("seconds", "milliseconds"), "date_precision")
            .add(anyCase("none", "sse", "sqlcipher"), "hexkey_mode")
            .add(exactly("ro", "rw", "rwc", "memory"), "mode")
            .add(exactly("shared", "private"), "cache")
            .add(exactly("512", "1024", "2048", "4096", "8192", "16384", "32768", "65536"), "page_size")
            .add(
                    new Values(
                            "one of 'UTF-8', 'UTF-16', 'UTF-16le' and 'UTF-16be', with the quotation marks",
                            "(?i)'UTF-?(8|16(le|be)?)'|UTF(8|16(le|be)?)"),
                    "encoding")
            .add(new Values("a path in single quotation marks", "'[^']*'"), "temp_store_directory")
            .add(COUNT, "busy_timeout", "open_mode")
            .add(
                    new Values("a whole number", "[+-]?\\d{1,18}|0[xX][0-9A-Fa-f]{1,15}"),
                    "application_id",
                    "cache_size",
                    "default_cache_size",
                    "incremental_vacuum",
                    "journal_size_limit",
                    "max_page_count",
                    "mmap_size",
                    "user_version",
                    "wal_autocheckpoint")
            .add(
                    COUNT_OR_DEFAULT,
                    "limit_attached",
                    "limit_column",
                    "limit_compound_select",
                    "limit_expr_depth",
                    "limit_function_arg",
                    "limit_length",
                    "limit_like_pattern_length",
                    "limit_page_count",
                    "limit_sql_length",
                    "limit_trigger_depth",
                    "limit_variable_number",
                    "limit_vdbe_op",
                    "limit_worker_threads");

    /** The parameters of PostgreSQL. */
    public static final PermittedValues POSTGRESQL = new PermittedValues()
            .add(
                    anyCase("true", "false"),
                    "adaptiveFetch",
                    "allowEncodingChanges",
                    "binaryTransfer",
                    "cleanupSavepoints",
                    "convertBooleanToNumeric",
                    "disableColumnSanitiser",
                    "flushCacheOnDdl",
                    "groupStartupParameters",
                    "gssUseDefaultCreds",
                    "hideUnprivilegedObjects",
                    "jaasLogin",
                    "loadBalanceHosts",
                    "logServerErrorDetail",
                    "logUnclosedConnections",
                    "quoteReturningIdentifiers",
                    "readOnly",
                    "reWriteBatchedInserts",
                    "tcpKeepAlive",
                    "tcpNoDelay",
                    "useSpnego")
            .add(new Values("true or false", "(?i)true|false|"), "ssl")
            .add(anyCase("disable", "allow", "prefer", "require", "verify-ca", "verify-full"), "sslmode")
            .add(anyCase("disable", "allow", "prefer", "require"), "gssEncMode")
            .add(anyCase("always", "never", "conservative"), "autosave")
            .add(anyCase("unspecified", "varchar"), "stringtype")
            .add(exactly("disable", "prefer", "require"), "channelBinding")
            .add(anyCase("driver", "driver-first", "context-first"), "classLoaderStrategy")
            .add(exactly("select", "callIfNoReturn", "call"), "escapeSyntaxCallMode")
            .add(exactly("auto", "sspi", "gssapi"), "gsslib")
            .add(exactly("extended", "extendedForPrepared", "extendedCacheEverything", "simple"), "preferQueryMode")
            .add(anyCase("ignore", "transaction", "always"), "readOnlyMode")
            .add(exactly("postgres", "direct"), "sslNegotiation")
            .add(
                    exactly(
                            "any",
                            "primary",
                            "master",
                            "slave",
                            "secondary",
                            "preferSlave",
                            "preferSecondary",
                            "preferPrimary"),
                    "targetServerType")
            .add(new Values("a number of seconds", "\\d{1,9}(\\.\\d{1,9})?"), "loginTimeout")
            .add(new Values("a whole number", "-?\\d{1,9}"), "prepareThreshold")
            .add(COUNT_OR_DEFAULT, "adaptiveFetchMaximum", "receiveBufferSize", "sendBufferSize")
            .add(
                    COUNT,
                    "adaptiveFetchMinimum",
                    "cancelSignalTimeout",
                    "connectTimeout",
                    "databaseMetadataCacheFields",
                    "databaseMetadataCacheFieldsMiB",
                    "defaultRowFetchSize",
                    "gssResponseTimeout",
                    "hostRecheckSeconds",
                    "maxSendBufferSize",
                    "preparedStatementCacheQueries",
                    "preparedStatementCacheSizeMiB",
                    "queryTimeout",
                    "reWriteBatchedInsertsSize",
                    "scramMaxIterations",
                    "socketTimeout",
                    "sslResponseTimeout",
                    "unknownLength");

    private final Map<String, Values> byName = new HashMap<>();

    private PermittedValues() {}

    /** Permitted values, in words for a message and as a pattern. Most programs need no pattern, so it is not compiled here. */
    private record Values(String words, String pattern) {}

    private static Values anyCase(String... values) {
        return new Values(words(values), "(?i)" + String.join("|", values));
    }

    private static Values exactly(String... values) {
        return new Values(words(values), String.join("|", values));
    }

    private static String words(String... values) {
        String last = values[values.length - 1];
        return Arrays.stream(values).limit(values.length - 1L).collect(Collectors.joining(", ", "", " or ")) + last;
    }

    private PermittedValues add(Values values, String... names) {
        for (String name : names) {
            byName.put(name, values);
        }
        return this;
    }

    /**
     * Returns the parameters whose values are checked. The driver accepts any text for the others, or checks them itself.
     *
     * @return the names, in no order
     */
    public Collection<String> names() {
        return byName.keySet();
    }

    /**
     * Checks values.
     *
     * @param parameters the values by name
     * @throws UrlSyntaxException if a value is wrong. The reason does not quote the value: it may be a part of a password
     */
    public void check(Map<String, String> parameters) throws UrlSyntaxException {
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            Values values = byName.get(parameter.getKey());
            if (values != null && !Pattern.matches(values.pattern, parameter.getValue())) {
                throw new UrlSyntaxException("the parameter " + parameter.getKey() + " must be " + values.words);
            }
        }
    }
}
