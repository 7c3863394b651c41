package dev.oneengine.cache.url;

import java.util.SortedMap;

/**
 * The parts of a parsed URL. Immutable and thread-safe, as long as its maps are not changed.
 *
 * @param database the kind of database
 * @param name the database's own name
 * @param key the identity: equal for equal databases
 * @param normal the URL without password and parameters
 * @param parameters the parameters, sorted by name
 * @param access the arguments of the driver
 * @param throughLink whether a symbolic link led to the file, so that the same alias may mean another file later
 */
public record ParsedUrl(
        Database database,
        String name,
        String key,
        String normal,
        SortedMap<String, String> parameters,
        Access access,
        boolean throughLink) {

    /** The kind of database. {@code DatabaseUrl.Kind} has the same constants. */
    public enum Database {
        /** SQLite in memory. */
        SQLITE_MEMORY,
        /** SQLite in a file. */
        SQLITE_FILE,
        /** A PostgreSQL server. */
        POSTGRESQL,
        /** Any other database. */
        OTHER
    }

    /**
     * The arguments of a driver.
     *
     * @param jdbcUrl the URL for the driver
     * @param properties the properties for the driver, with user and password
     * @param password the password, or the empty text; SQLite's is a parameter
     */
    public record Access(String jdbcUrl, SortedMap<String, String> properties, String password) {
        @Override
        public String toString() {
            return UrlSecrets.MASK;
        }
    }

    @Override
    public String toString() {
        return normal;
    }
}
