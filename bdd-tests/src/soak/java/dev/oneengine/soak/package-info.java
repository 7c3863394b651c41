/** Random programs against a reference model: what units of work, engines and migrations promise, tried out by chance. */
@NullMarked
package dev.oneengine.soak;

import org.jspecify.annotations.NullMarked;
