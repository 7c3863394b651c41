package dev.oneengine.cache;

import dev.oneengine.cache.DatabaseUrl.Access;
import dev.oneengine.cache.DatabaseUrl.Kind;
import java.net.IDN;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the URLs of PostgreSQL databases. Confined to one call of {@link DatabaseUrl#parse}. */
final class PostgresUrls {
    /** The limit of the domain name system. */
    private static final int LONGEST_NAME = 253;

    private static final int DEFAULT_PORT = 5432;

    /** A name or an address, in brackets where it holds colons, and perhaps a port. */
    private static final Pattern SERVER =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[\\p{L}\\p{M}\\p{N}._-]+)(?::(\\d{1,5}))?");

    /** What tells that a user, a password or a parameter has been read as the name of a database. */
    private static final Pattern NOT_IN_A_NAME = Pattern.compile("[/@;:=]");

    /** A user with a password and a host that were percent-encoded as a whole. */
    private static final Pattern CREDENTIALS = Pattern.compile(":.*@", Pattern.DOTALL);

    /** What names the database in a parameter, where one URL could name two. */
    private static final Set<String> PLACES =
            Set.of("host", "hostaddr", "port", "dbname", "service", "pghost", "pgport", "pgdbname");

    private final String url;
    private final boolean plusIsBlank;

    private PostgresUrls(String url, boolean plusIsBlank) {
        this.url = url;
        this.plusIsBlank = plusIsBlank;
    }

    /** The driver's form: as everywhere in Java, a plus sign is a blank. */
    static DatabaseUrl jdbc(String url, String rest) {
        PostgresUrls parser = new PostgresUrls(url, true);
        if (rest.startsWith("//")) {
            return parser.parse(rest.substring(2));
        }
        String local = rest.startsWith("/") ? rest.substring(1) : rest;
        if (local.isEmpty() || local.startsWith("?")) {
            throw parser.noHost();
        }
        return parser.parse("localhost/" + local);
    }

    /** The form of PostgreSQL's own tools: a plus sign is one. */
    static DatabaseUrl uri(String url, String rest) {
        PostgresUrls parser = new PostgresUrls(url, false);
        if (!rest.startsWith("//")) {
            throw parser.invalid("the scheme is not followed by //; use postgresql://HOST/DATABASE");
        }
        return parser.parse(rest.substring(2));
    }

    private DatabaseUrl parse(String rest) {
        String[] placeAndQuery = split(rest, rest.indexOf('?'));
        String[] authorityAndPath = split(placeAndQuery[0], placeAndQuery[0].indexOf('/'));
        String[] userInfoAndServers = userInfo(authorityAndPath[0]);
        String path = authorityAndPath[1];
        if (NOT_IN_A_NAME.matcher(path).find()) {
            throw invalid(
                    "there is more than a name behind the host; percent-encode / as %2F, @ as %40, ; as %3B, : as "
                            + "%3A and = as %3D, also in a password");
        }
        SortedMap<String, String> parameters =
                Parameters.parse(url, placeAndQuery[1], this::decode, ParameterTypes.POSTGRESQL);
        refusePlaces(parameters);
        String[] userAndPassword = split(userInfoAndServers[0], userInfoAndServers[0].indexOf(':'));
        String user = one("user", decode(userAndPassword[0]), parameters.remove("user"));
        String password = one("password", decode(userAndPassword[1]), parameters.remove("password"));
        if (user.indexOf(':') >= 0) {
            throw invalid(
                    "there is a colon in the user; if a password follows it, write the colon as it is, not as %3A");
        }
        if (userInfoAndServers[0].isEmpty()
                && Arrays.stream(placeAndQuery[1].split("&")).anyMatch(PostgresUrls::mayEndPassword)) {
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
        return new DatabaseUrl(
                Kind.POSTGRESQL,
                database,
                "jdbc:postgresql://" + encode(who) + place,
                "jdbc:postgresql://" + encode(who) + (password.isEmpty() ? "" : ":" + Secrets.MASK) + place,
                parameters,
                new Access("jdbc:postgresql://" + servers + "/" + encode(database), who, password),
                false);
    }

    /** Splits in two at an index and drops the character there; the second part is empty where the index is -1. */
    private static String[] split(String text, int index) {
        return index < 0 ? new String[] {text, ""} : new String[] {text.substring(0, index), text.substring(index + 1)};
    }

    private static String[] userInfo(String authority) {
        int at = authority.lastIndexOf('@');
        return at < 0 ? new String[] {"", authority} : split(authority, at);
    }

    /** Whether a parameter may be the end of a password with a question mark, with the host behind it. */
    private static boolean mayEndPassword(String parameter) {
        String name = split(parameter, parameter.indexOf('='))[0];
        return parameter.indexOf('@') >= 0 && !name.equals("user") && !Secrets.isSecret(name);
    }

    private void refusePlaces(SortedMap<String, String> parameters) {
        for (String name : parameters.keySet()) {
            if (PLACES.contains(name.toLowerCase(Locale.ROOT))) {
                throw invalid("the parameter " + name + " names a place; write it in front of the question mark, as in "
                        + "postgresql://HOST:PORT/DATABASE");
            }
        }
    }

    private String one(String what, String before, @Nullable String parameter) {
        if (parameter == null || parameter.equals(before)) {
            return before;
        }
        if (!before.isEmpty()) {
            throw invalid("it has one " + what + " in front of the host and another as a parameter; leave one of them");
        }
        return parameter;
    }

    private String servers(String list) {
        if (list.isEmpty()) {
            throw noHost();
        }
        return Arrays.stream(list.split(",", -1)).map(this::server).collect(Collectors.joining(","));
    }

    private String server(String text) {
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

    private String address(String inBrackets) {
        try {
            // Brackets make it a literal address: this never asks a name server.
            String address = InetAddress.getByName(inBrackets).getHostAddress();
            return address.contains(":") ? "[" + address + "]" : address;
        } catch (UnknownHostException e) {
            throw new InvalidDatabaseUrlException(url, "what stands in brackets is no IPv6 address");
        }
    }

    private String name(String host) {
        try {
            // A longer name does not exist, and from JDK 24 on IDN has no documented exception for it.
            if (host.length() > LONGEST_NAME) {
                throw new IllegalArgumentException("too long");
            }
            return IDN.toASCII(host).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            throw new InvalidDatabaseUrlException(url, "the host is no name that the domain name system could know");
        }
    }

    private String decode(String text) {
        return Percent.decode(url, plusIsBlank ? text.replace('+', ' ') : text);
    }

    private static String encode(String text) {
        return Percent.encode(text).replace("/", "%2F");
    }

    private InvalidDatabaseUrlException noHost() {
        return invalid("there is no host; use postgresql://HOST/DATABASE, with localhost for this machine");
    }

    private InvalidDatabaseUrlException invalid(String reason) {
        return new InvalidDatabaseUrlException(url, reason);
    }
}
