/** Writes the classes that guard JDBC's objects, while the module is compiled. */
@NullMarked
package dev.oneengine.forwarding;

import org.jspecify.annotations.NullMarked;
