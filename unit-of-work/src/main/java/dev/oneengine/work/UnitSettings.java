package dev.oneengine.work;

import dev.oneengine.cache.EngineSettings.Isolation;
import java.time.Duration;

/** The settings of units of work. Immutable and thread-safe. */
record UnitSettings(RetryPolicy retry, Duration queueTimeout, Duration leakAfter, Isolation isolation) {}
