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
    /** Returns the URL that the scenario passes to the cache. */
    String url() {
        return underTest.url();
    }
}
