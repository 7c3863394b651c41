/** Units of work: one transaction, one owner. */
@NullMarked
package dev.oneengine.work;

import org.jspecify.annotations.NullMarked;
