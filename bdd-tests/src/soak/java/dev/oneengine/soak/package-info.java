/** Runs random programs on units of work, engines and migrations, and compares the outcomes with a reference model. */
@NullMarked
package dev.oneengine.soak;

import org.jspecify.annotations.NullMarked;
