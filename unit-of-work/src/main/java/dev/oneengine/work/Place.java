package dev.oneengine.work;

import dev.oneengine.cache.Engine;

/** Where units run: an engine, and who is on it. Immutable and thread-safe. */
record Place(Engine engine, Traffic traffic) {}
