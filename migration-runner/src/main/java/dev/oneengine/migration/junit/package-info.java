/** A migrated database for each test. Users add JUnit Jupiter to their tests themselves. */
@NullMarked
package dev.oneengine.migration.junit;

import org.jspecify.annotations.NullMarked;
