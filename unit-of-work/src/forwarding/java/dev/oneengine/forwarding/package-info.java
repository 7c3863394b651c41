/** The annotation processor that generates the guarded classes of JDBC interfaces. */
@NullMarked
package dev.oneengine.forwarding;

import org.jspecify.annotations.NullMarked;
