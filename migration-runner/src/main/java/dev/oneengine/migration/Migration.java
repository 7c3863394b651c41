package dev.oneengine.migration;

import org.jspecify.annotations.Nullable;

/**
 * One migration, as the scripts and the database know it. Immutable and thread-safe.
 *
 * @param version the version, such as {@code 2.1}; {@code null} for one that is repeated whenever it changes
 * @param description what the name of the script says
 * @param script the name of the script, or of the class
 * @param state what has become of it
 */
public record Migration(@Nullable String version, String description, String script, State state) {
    /** What has become of a migration. */
    public enum State {
        /** It will be applied by the next call of {@link MigrationRunner#migrate}. */
        PENDING,
        /** It is applied. */
        APPLIED,
        /** It is applied, but the script has been changed since. */
        CHANGED,
        /** It is applied, but there is no such script among those that are older than the newest. */
        MISSING,
        /** It is applied, and its version is newer than all scripts that there are. */
        NEWER,
        /** It is not applied, though a newer one is. */
        LATE,
        /** It failed where the database could not undo it. */
        FAILED,
        /** An earlier run of one that is repeated. */
        SUPERSEDED,
        /** It is not to be applied: below the baseline, above the target, or marked as deleted by a repair. */
        SKIPPED
    }

    @Override
    public String toString() {
        return script + " (" + state + ")";
    }
}
