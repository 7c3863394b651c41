/** Fixtures that the tests of all modules share. */
@NullMarked
package dev.oneengine.testing;

import org.jspecify.annotations.NullMarked;
