package dev.oneengine.work;

import java.io.Closeable;

/** A stream to the database that may hold unsent data. Closing the stream sends the data. Confined to the unit's thread. */
interface PendingStream extends Closeable {
    /** Returns the scope in which the stream was opened. */
    RollbackScope scope();
}
