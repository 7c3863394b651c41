package dev.oneengine.acceptance;

/**
 * A thread outside this JVM that runs a call for a thread of a scenario. Immutable and thread-safe.
 *
 * @param waits whether it waits for another thread
 * @param place where it waits; the same text during one wait
 */
public record RemoteThread(boolean waits, String place) {}
