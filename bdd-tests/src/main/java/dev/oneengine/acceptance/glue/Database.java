package dev.oneengine.acceptance.glue;

/**
 * A database of a scenario. Immutable and thread-safe.
 *
 * @param url what the cache is asked for
 * @param key the part of the URL that no other database has, however an implementation writes the rest
 */
record Database(String url, String key) {}
