/** The steps of the scenarios, which Cucumber runs, and their shared state. Not for any other use. */
@NullMarked
package dev.oneengine.acceptance.glue;

import org.jspecify.annotations.NullMarked;
