/** What Cucumber runs: the steps of the scenarios and what they share. Not for any other use. */
@NullMarked
package dev.oneengine.acceptance.glue;

import org.jspecify.annotations.NullMarked;
