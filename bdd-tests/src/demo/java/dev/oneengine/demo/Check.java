package dev.oneengine.demo;

/**
 * Something that must have come out, and whether it has. Immutable.
 *
 * @param text what, as it was seen
 * @param met whether it is as it should be
 */
record Check(String text, boolean met) {}
