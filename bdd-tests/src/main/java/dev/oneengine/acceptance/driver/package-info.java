/**
 * Runs the scenarios against a program in any language that speaks the driver protocol of docs/driver.md.
 *
 * <p>{@link dev.oneengine.acceptance.driver.Driver} is the implementation under test.
 */
@NullMarked
package dev.oneengine.acceptance.driver;

import org.jspecify.annotations.NullMarked;
