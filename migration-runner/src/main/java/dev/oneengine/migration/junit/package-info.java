/** A migrated database for each test of JUnit Jupiter, which the tests' build brings. */
@NullMarked
package dev.oneengine.migration.junit;

import org.jspecify.annotations.NullMarked;
