/** Migrations of a database, each exactly once, and copies of a database that is migrated. */
@NullMarked
package dev.oneengine.migration;

import org.jspecify.annotations.NullMarked;
