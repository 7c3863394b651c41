/** The demo: two threads and one URL, without this library and with it. */
@NullMarked
package dev.oneengine.demo;

import org.jspecify.annotations.NullMarked;
