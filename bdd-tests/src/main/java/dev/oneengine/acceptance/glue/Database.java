package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.DatabaseUnderTest;

/**
 * A database of a scenario. Immutable and thread-safe.
 *
 * @param name the name in the scenario
 * @param key a name that no other database has
 * @param underTest the database
 */
record Database(String name, String key, DatabaseUnderTest underTest) {
    /** The URL that the cache is asked for. */
    String url() {
        return underTest.url();
    }
}
