package dev.oneengine.cache.url;

import dev.oneengine.cache.url.ParsedUrl.Access;
import dev.oneengine.cache.url.ParsedUrl.Database;
import java.net.IDN;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses the URLs of PostgreSQL databases. Confined to its thread. */
final class PostgresUrlParser {
    /** The limit of the domain name system. */
    private static final int LONGEST_NAME = 253;

    private static final int DEFAULT_PORT = 5432;

    /** A name or an address, in brackets if it contains colons, and optionally a port. */
    private static final Pattern SERVER =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[\\p{L}\\p{M}\\p{N}._-]+)(?::(\\d{1,5}))?");

    /** These characters show that a user, a password or a parameter was read as the name of a database. */
    private static final Pattern NOT_IN_A_NAME = Pattern.compile("[/@;:=]");

    /** A user, a password and a host that were percent-encoded together. */
    private static final Pattern CREDENTIALS = Pattern.compile(":.*@", Pattern.DOTALL);

    /** The parameters that name a server or a database. With them, one URL could name two databases. */
    private static final Set<String> PLACES =
            Set.of("host", "hostaddr", "port", "dbname", "service", "pghost", "pgport", "pgdbname");

    private final boolean plusIsBlank;

    private PostgresUrlParser(boolean plusIsBlank) {
        this.plusIsBlank = plusIsBlank;
    }

    /** Parses the form of the JDBC driver, where a plus sign is a blank. */
    static ParsedUrl jdbc(String rest) throws UrlSyntaxException {
        PostgresUrlParser parser = new PostgresUrlParser(true);
        if (rest.startsWith("//")) {
            return parser.parse(rest.substring(2));
        }
        String local = rest.startsWith("/") ? rest.substring(1) : rest;
        if (local.isEmpty() || local.startsWith("?")) {
            throw noHost();
        }
        return parser.parse("localhost/" + local);
    }

    /** Parses the form of PostgreSQL's own tools, where a plus sign is not a blank. */
    static ParsedUrl uri(String rest) throws UrlSyntaxException {
        PostgresUrlParser parser = new PostgresUrlParser(false);
        if (!rest.startsWith("//")) {
            throw invalid("the scheme is not followed by //; use postgresql://HOST/DATABASE");
        }
        return parser.parse(rest.substring(2));
    }

    private ParsedUrl parse(String rest) throws UrlSyntaxException {
        String[] placeAndQuery = split(rest, rest.indexOf('?'));
        String[] authorityAndPath = split(placeAndQuery[0], placeAndQuery[0].indexOf('/'));
        String[] userInfoAndServers = userInfo(authorityAndPath[0]);
        String path = authorityAndPath[1];
        if (NOT_IN_A_NAME.matcher(path).find()) {
            throw invalid(
                    "the host is followed by more than the name of a database; percent-encode / as %2F, @ as %40, ; as %3B, : as "
                            + "%3A and = as %3D, also in a password");
        }
        SortedMap<String, String> parameters =
                UrlParameters.parse(placeAndQuery[1], this::decode, PermittedValues.POSTGRESQL);
        rejectPlaces(parameters);
        String[] userAndPassword = split(userInfoAndServers[0], userInfoAndServers[0].indexOf(':'));
        String user = one("user", decode(userAndPassword[0]), parameters.remove("user"));
        String password = one("password", decode(userAndPassword[1]), parameters.remove("password"));
        if (user.indexOf(':') >= 0) {
            throw invalid(
                    "there is a colon in the user; if a password follows it, write the colon as it is, not as %3A");
        }
        if (userInfoAndServers[0].isEmpty()
                && Arrays.stream(placeAndQuery[1].split("&")).anyMatch(PostgresUrlParser::mayEndPassword)) {
            throw invalid(
                    "there is an @ in a parameter, or a question mark in a password; percent-encode them as %40 and "
                            + "%3F");
        }
        String who = user.isEmpty() ? System.getProperty("user.name") : user;
        String database = path.isEmpty() ? who : decode(path);
        if (CREDENTIALS.matcher(database).find()) {
            throw invalid("user, password and host are percent-encoded as a whole; encode user and password alone");
        }
        String servers = servers(userInfoAndServers[1]);
        String place = "@" + servers + "/" + encode(database);
        SortedMap<String, String> properties = new TreeMap<>(parameters);
        if (!who.isEmpty()) {
            properties.put("user", who);
        }
        if (!password.isEmpty()) {
            properties.put("password", password);
        }
        return new ParsedUrl(
                Database.POSTGRESQL,
                database,
                "jdbc:postgresql://" + encode(who) + place,
                "jdbc:postgresql://" + encode(who) + (password.isEmpty() ? "" : ":" + UrlSecrets.MASK) + place,
                parameters,
                new Access("jdbc:postgresql://" + servers + "/" + encode(database), properties, password),
                false);
    }

    /** Splits a text in two at an index and drops the character there. If the index is -1, the second part is empty. */
    private static String[] split(String text, int index) {
        return index < 0 ? new String[] {text, ""} : new String[] {text.substring(0, index), text.substring(index + 1)};
    }

    private static String[] userInfo(String authority) {
        int at = authority.lastIndexOf('@');
        return at < 0 ? new String[] {"", authority} : split(authority, at);
    }

    /** Whether a parameter may be the end of a password with a question mark, followed by the host. */
    private static boolean mayEndPassword(String parameter) {
        String name = split(parameter, parameter.indexOf('='))[0];
        return parameter.indexOf('@') >= 0 && !name.equals("user") && !UrlSecrets.isSecret(name);
    }

    private static void rejectPlaces(SortedMap<String, String> parameters) throws UrlSyntaxException {
        for (String name : parameters.keySet()) {
            if (PLACES.contains(name.toLowerCase(Locale.ROOT))) {
                throw invalid("the parameter " + name
                        + " names a server or database; write it before the question mark, as in "
                        + "postgresql://HOST:PORT/DATABASE");
            }
        }
    }

    private static String one(String what, String before, @Nullable String parameter) throws UrlSyntaxException {
        if (parameter == null || parameter.equals(before)) {
            return before;
        }
        if (!before.isEmpty()) {
            throw invalid("it has one " + what + " before the host and another as a parameter; remove one of them");
        }
        return parameter;
    }

    private static String servers(String list) throws UrlSyntaxException {
        StringJoiner servers = new StringJoiner(",");
        for (String server : list.split(",", -1)) {
            servers.add(server(server));
        }
        return servers.toString();
    }

    private static String server(String text) throws UrlSyntaxException {
        Matcher matcher = SERVER.matcher(text);
        if (!matcher.matches()) {
            throw text.isEmpty() || text.startsWith(":")
                    ? noHost()
                    : invalid(
                            "there is no HOST:PORT where one should be; percent-encode special characters in user and "
                                    + "password");
        }
        int port = matcher.group(2) == null ? DEFAULT_PORT : Integer.parseInt(matcher.group(2));
        if (port < 1 || port > 65_535) {
            throw invalid("the port is not between 1 and 65535");
        }
        String host = matcher.group(1);
        return (host.startsWith("[") ? address(host) : name(host)) + ":" + port;
    }

    private static String address(String inBrackets) throws UrlSyntaxException {
        try {
            // In brackets it is a literal address, so this never asks a name server.
            String address = InetAddress.getByName(inBrackets).getHostAddress();
            return address.contains(":") ? "[" + address + "]" : address;
        } catch (UnknownHostException e) {
            throw new UrlSyntaxException("the text in brackets is not an IPv6 address");
        }
    }

    private static String name(String host) throws UrlSyntaxException {
        try {
            // No longer name exists, and from JDK 24 on IDN documents no exception for one.
            if (host.length() > LONGEST_NAME) {
                throw new IllegalArgumentException("too long");
            }
            return IDN.toASCII(host).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            throw new UrlSyntaxException("the host is not a valid domain name");
        }
    }

    private String decode(String text) throws UrlSyntaxException {
        return PercentEncoding.decode(plusIsBlank ? text.replace('+', ' ') : text);
    }

    private static String encode(String text) {
        return PercentEncoding.encode(text).replace("/", "%2F");
    }

    private static UrlSyntaxException noHost() {
        return invalid("there is no host; use postgresql://HOST/DATABASE, with localhost for this machine");
    }

    private static UrlSyntaxException invalid(String reason) {
        return new UrlSyntaxException(reason);
    }
}
