package dev.oneengine.migration;

import org.jspecify.annotations.Nullable;

/**
 * One migration and its state in a database. Immutable and thread-safe.
 *
 * @param version the version, such as {@code 2.1}; {@code null} for a repeatable migration, which runs after each change
 * @param description the description in the name of the script
 * @param script the name of the script, or of the class
 * @param state the state in the database
 */
public record Migration(@Nullable String version, String description, String script, State state) {
    /** The state of a migration in a database. */
    public enum State {
        /** The next call of {@link MigrationRunner#migrate} applies it. */
        PENDING,
        /** It is applied. */
        APPLIED,
        /** It is applied, and its script was changed afterwards. */
        CHANGED,
        /** It is applied, and its script is missing. Other scripts are newer. */
        MISSING,
        /** It is applied, and its version is newer than all scripts. */
        NEWER,
        /** It is not applied, although a newer migration is. */
        LATE,
        /** It failed, and the database could not roll it back. */
        FAILED,
        /** An earlier run of a repeatable migration. */
        SUPERSEDED,
        /** It is never applied: it is below the baseline, above the target, or marked as deleted by a repair. */
        SKIPPED
    }

    @Override
    public String toString() {
        return script + " (" + state + ")";
    }
}
