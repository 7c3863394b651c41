/** A program to look at: two threads, one URL, and what becomes of it without this library and with it. */
@NullMarked
package dev.oneengine.demo;

import org.jspecify.annotations.NullMarked;
