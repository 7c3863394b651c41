/** Benchmarks of the cache. */
@NullMarked
package dev.oneengine.cache;

import org.jspecify.annotations.NullMarked;
