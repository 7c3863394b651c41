/** Migrations of a database, each exactly once, and copies of a migrated database. */
@NullMarked
package dev.oneengine.migration;

import org.jspecify.annotations.NullMarked;
