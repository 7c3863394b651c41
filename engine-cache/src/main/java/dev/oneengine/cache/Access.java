package dev.oneengine.cache;

/** What a transaction does with a database. */
public enum Access {
    /** Reads only; the database rejects writes. */
    READ,
    /** Reads and writes. */
    WRITE
}
