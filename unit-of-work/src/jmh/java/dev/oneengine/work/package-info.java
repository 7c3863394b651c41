/** Benchmarks of units of work. */
@NullMarked
package dev.oneengine.work;

import org.jspecify.annotations.NullMarked;
