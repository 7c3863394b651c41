package dev.oneengine.migration;

import java.time.Duration;

/**
 * Receives the progress of runs: for each migration, {@link #started} and then {@link #finished} or {@link #failed}.
 *
 * <p>The migrating thread calls it within the transaction of the run. So an implementation should be quick and must not use the
 * database. Its exceptions are logged and have no other effect.
 *
 * <p>One runner may migrate several databases at the same time: implementations must be thread-safe.
 */
public interface MigrationListener {
    /**
     * Called before a migration runs.
     *
     * @param migration the migration
     * @param position its position in this run, from 1
     * @param total the number of migrations in this run
     */
    default void started(Migration migration, int position, int total) {}

    /**
     * Called after a migration has run. It is committed at the end of the run, unless a later migration fails.
     *
     * @param migration the migration
     * @param position its position in this run, from 1
     * @param total the number of migrations in this run
     * @param duration its running time
     */
    default void finished(Migration migration, int position, int total, Duration duration) {}

    /**
     * Called when a migration has failed, which ends the run.
     *
     * @param migration the migration
     * @param position its position in this run, from 1
     * @param total the number of migrations in this run
     */
    default void failed(Migration migration, int position, int total) {}
}
