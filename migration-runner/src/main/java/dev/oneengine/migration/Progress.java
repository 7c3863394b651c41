package dev.oneengine.migration;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.migration.Migration.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.internal.info.MigrationInfoImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The progress of one run, for the log and the listener. Flyway reports it to this callback. Confined to the migrating thread. */
final class Progress implements Callback {
    /** Users configure the log of the public class. */
    private static final Logger LOG = LoggerFactory.getLogger("dev.oneengine.migration.MigrationRunner");

    private final DatabaseUrl url;
    private final @Nullable MigrationListener listener;
    private int total;
    private final List<Migration> applied = new ArrayList<>();
    private @Nullable MigrationInfo current;
    private boolean failed;
    private long began;

    Progress(DatabaseUrl url, @Nullable MigrationListener listener) {
        this.url = url;
        this.listener = listener;
    }

    /** Sets the number of migrations in this run. */
    void expect(int migrations) {
        total = migrations;
    }

    /** Returns the migrations that have run to their end. */
    List<Migration> applied() {
        return applied;
    }

    /** Returns the running or failed migration. */
    @Nullable MigrationInfo current() {
        return current;
    }

    /** Whether a migration runs now, and has not failed. */
    boolean isWithinMigration() {
        return current != null && !failed;
    }

    /** Whether the running migration, if there is one, cannot run in a transaction. */
    boolean isWithoutTransaction() {
        return current instanceof MigrationInfoImpl known && !known.canExecuteInTransaction();
    }

    @Override
    public boolean supports(Event event, @Nullable Context context) {
        return event == Event.BEFORE_EACH_MIGRATE
                || event == Event.AFTER_EACH_MIGRATE
                || event == Event.AFTER_EACH_MIGRATE_ERROR;
    }

    @Override
    public boolean canHandleInTransaction(Event event, @Nullable Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        MigrationInfo info = context.getMigrationInfo();
        int position = applied.size() + 1;
        switch (event) {
            case BEFORE_EACH_MIGRATE -> {
                current = info;
                began = System.nanoTime();
                LOG.debug("{} ({} of {}) begins on {}", info.getScript(), position, total, url);
                report(listener -> listener.started(migration(info, State.PENDING), position, total));
            }
            case AFTER_EACH_MIGRATE -> {
                Duration took = Duration.ofNanos(System.nanoTime() - began);
                LOG.info("{} ({} of {}) took {} ms on {}", info.getScript(), position, total, took.toMillis(), url);
                current = null;
                Migration done = migration(info, State.APPLIED);
                applied.add(done);
                report(listener -> listener.finished(done, position, total, took));
            }
            default -> {
                failed = true;
                // PostgreSQL rejects all statements after a failure, so those of error callbacks would hide it.
                rollBack(context.getConnection());
                report(listener -> listener.failed(migration(info, State.PENDING), position, total));
            }
        }
    }

    private static Migration migration(MigrationInfo info, State state) {
        Migration read = History.migration(info);
        return new Migration(read.version(), read.description(), read.script(), state);
    }

    private void rollBack(Connection connection) {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException e) {
            LOG.debug("Cannot roll back the migrations of {}", url, e);
        }
    }

    private void report(Consumer<MigrationListener> call) {
        if (listener == null) {
            return;
        }
        try {
            call.accept(listener);
        } catch (Throwable e) { // may also be the failed assertion of a test
            LOG.warn("The migration listener failed; the migrations of {} continue", url, e);
        }
    }

    @Override
    public String getCallbackName() {
        return ""; // Flyway sorts callbacks by name, and this one must be the first
    }
}
