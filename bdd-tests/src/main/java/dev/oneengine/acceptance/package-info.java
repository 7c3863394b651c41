/**
 * An acceptance kit for engine caches, units of work and migration runners. Its scenarios are readable rules that drive real
 * threads against real databases.
 *
 * <p>{@link dev.oneengine.acceptance.Implementation} is the interface of an implementation under test.
 */
@NullMarked
package dev.oneengine.acceptance;

import org.jspecify.annotations.NullMarked;
