/** A migrated database for each test of JUnit Jupiter, which users add to their tests. */
@NullMarked
package dev.oneengine.migration.junit;

import org.jspecify.annotations.NullMarked;
