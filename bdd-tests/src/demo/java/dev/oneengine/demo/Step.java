package dev.oneengine.demo;

/**
 * A next step for the reader. Immutable and thread-safe.
 *
 * @param title the step
 * @param text how to take it
 */
record Step(String title, String text) {}
