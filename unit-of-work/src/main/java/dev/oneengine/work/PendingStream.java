package dev.oneengine.work;

import java.io.Closeable;

/** A stream to the database that may hold data it has not sent. Closing it sends them. Confined to the unit's thread. */
interface PendingStream extends Closeable {
    /** Returns the scope in which the stream was opened. */
    RollbackScope scope();
}
