package dev.oneengine.migration;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a run. All callers of {@link MigrationRunner#migrate} on one engine get the same object.
 *
 * <p>Immutable and thread-safe.
 *
 * @param applied the applied migrations, in order; empty if another process or an earlier run applied them all
 * @param version the newest version in the database now, or {@code null} if it has none
 */
public record MigrationResult(
        List<Migration> applied, @Nullable String version) {
    /**
     * Copies the list.
     *
     * @param applied the applied migrations, in order
     * @param version the newest version in the database now, or {@code null} if it has none
     */
    public MigrationResult {
        applied = List.copyOf(applied);
    }
}
