/**
 * The parsers of database URLs. The module does not export this package: {@code DatabaseUrl} is its API. No exception of this package
 * quotes a URL, because a password may stand anywhere in it.
 */
@NullMarked
package dev.oneengine.cache.url;

import org.jspecify.annotations.NullMarked;
