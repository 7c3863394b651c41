/** Units of work: transactions that each have one owner. */
@NullMarked
package dev.oneengine.work;

import org.jspecify.annotations.NullMarked;
