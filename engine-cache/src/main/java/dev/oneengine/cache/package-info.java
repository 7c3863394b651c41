/** One engine per database URL, created exactly once however many threads race for it. */
@NullMarked
package dev.oneengine.cache;

import org.jspecify.annotations.NullMarked;
