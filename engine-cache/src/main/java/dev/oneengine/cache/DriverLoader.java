package dev.oneengine.cache;

import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Loads JDBC drivers by class name. Stateless and thread-safe. */
final class DriverLoader {
    private DriverLoader() {}

    /**
     * Loads the driver of a database. An application adds the driver of its server, in its own version, and may exclude SQLite's.
     *
     * @throws IllegalStateException if the driver is missing
     * @throws IllegalArgumentException if the driver does not know a parameter of the URL
     */
    static Driver load(String className, DatabaseUrl url) throws SQLException {
        Driver driver = load(className);
        requireKnownParameters(driver, url);
        return driver;
    }

    static Driver load(String className) {
        try {
            return Class.forName(className)
                    .asSubclass(Driver.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "the driver " + className + " is missing; add it to the classpath, for PostgreSQL from "
                            + "org.postgresql:postgresql, for SQLite from org.xerial:sqlite-jdbc",
                    e);
        }
    }

    /** Rejects misspelled parameters, which a driver would ignore without a message. */
    private static void requireKnownParameters(Driver driver, DatabaseUrl url) throws SQLException {
        Set<String> unknown = new TreeSet<>(url.driverProperties().stringPropertyNames());
        if (unknown.isEmpty()) {
            return;
        }
        Set<String> known = Arrays.stream(driver.getPropertyInfo(url.jdbcUrl(), new Properties()))
                .map((DriverPropertyInfo property) -> property.name)
                .collect(Collectors.toSet());
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "unknown driver parameter " + String.join(", ", unknown) + "; remove it or fix the spelling");
        }
    }
}
