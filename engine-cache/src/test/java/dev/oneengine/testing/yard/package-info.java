/** Fixtures of RoomsTest: a gate and a shed, which both depend on the path between them, and the path on both. */
@org.jspecify.annotations.NullMarked
package dev.oneengine.testing.yard;
