/** Fixtures of RoomsTest: a cellar and two classes above it that depend on each other. */
@org.jspecify.annotations.NullMarked
package dev.oneengine.testing.house;
