/**
 * Code that the modules of One Engine share. Not part of the API: any release may change or remove it.
 */
@NullMarked
package dev.oneengine.cache.internal;

import org.jspecify.annotations.NullMarked;
