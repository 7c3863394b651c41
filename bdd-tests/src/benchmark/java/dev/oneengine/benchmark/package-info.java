/** Comparisons with plain JDBC and other libraries, which generate the numbers of docs/performance.md. */
@NullMarked
package dev.oneengine.benchmark;

import org.jspecify.annotations.NullMarked;
