/** The code of {@code docs/recipes.md} and of the README, run on each database. */
@NullMarked
package dev.oneengine.recipes;

import org.jspecify.annotations.NullMarked;
