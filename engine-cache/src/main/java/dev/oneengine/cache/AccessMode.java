package dev.oneengine.cache;

/** The access that a transaction needs: see {@link Engine#enter}. */
public enum AccessMode {
    /** Reading only; the database rejects writes. */
    READ,
    /** Reading and writing. */
    WRITE
}
