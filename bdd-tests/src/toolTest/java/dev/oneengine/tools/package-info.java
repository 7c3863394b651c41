/** Tests with real tools on the data source of an engine. */
@NullMarked
package dev.oneengine.tools;

import org.jspecify.annotations.NullMarked;
