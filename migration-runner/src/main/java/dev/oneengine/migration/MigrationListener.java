package dev.oneengine.migration;

import java.time.Duration;

/**
 * Hears of the progress of migrations: for each, {@link #started} and then {@link #finished} or {@link #failed}. It is called in
 * the thread that migrates, within its transaction, so it should be quick and leave the database alone; what it throws is
 * logged and has no effect.
 *
 * <p>One runner may migrate several databases at the same time: implementations must be thread-safe.
 */
public interface MigrationListener {
    /**
     * A migration begins.
     *
     * @param migration which
     * @param position which of this run, from 1
     * @param total how many there are in this run
     */
    default void started(Migration migration, int position, int total) {}

    /**
     * A migration has come to its end. It is in the database once the whole run is: what follows may fail.
     *
     * @param migration which
     * @param position which of this run, from 1
     * @param total how many there are in this run
     * @param duration how long it took
     */
    default void finished(Migration migration, int position, int total, Duration duration) {}

    /**
     * A migration has failed, and the run ends.
     *
     * @param migration which
     * @param position which of this run, from 1
     * @param total how many there are in this run
     */
    default void failed(Migration migration, int position, int total) {}
}
