package dev.oneengine.migration;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run of migrations did. Every caller of {@link MigrationRunner#migrate} on one engine gets the same object.
 *
 * <p>Immutable and thread-safe.
 *
 * @param applied what was applied, in this order; empty where another process, or an earlier run, had done it all
 * @param version the newest version in the database now, or {@code null} if it has none
 */
public record MigrationResult(
        List<Migration> applied, @Nullable String version) {
    /**
     * Copies the list.
     *
     * @param applied as above
     * @param version as above
     */
    public MigrationResult {
        applied = List.copyOf(applied);
    }
}
