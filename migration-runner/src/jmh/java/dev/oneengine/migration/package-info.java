/** Benchmarks of migrations. */
@NullMarked
package dev.oneengine.migration;

import org.jspecify.annotations.NullMarked;
