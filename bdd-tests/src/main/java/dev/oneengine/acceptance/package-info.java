/**
 * An acceptance kit: what engine caches, units of work and migration runners must do, as scenarios that anybody can read and
 * that drive real threads against real databases.
 *
 * <p>{@link dev.oneengine.acceptance.Implementation} is what an implementation under test provides.
 */
@NullMarked
package dev.oneengine.acceptance;

import org.jspecify.annotations.NullMarked;
