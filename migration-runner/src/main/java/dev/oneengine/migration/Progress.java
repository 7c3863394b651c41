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

/** Follows one run, and tells the log and the listener. Confined to the thread that migrates. */
final class Progress implements Callback {
    private static final Logger LOG = LoggerFactory.getLogger(MigrationRunner.class);

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

    /** Sets how many migrations are to be applied. */
    void expect(int migrations) {
        total = migrations;
    }

    /** What has come to its end. */
    List<Migration> applied() {
        return applied;
    }

    /** What is being applied, or has failed. */
    @Nullable MigrationInfo current() {
        return current;
    }

    /** Whether a migration is being applied, which has not failed. */
    boolean isWithinMigration() {
        return current != null && !failed;
    }

    /** Whether a migration is being applied that cannot run in a transaction. */
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
                tell(hears -> hears.started(migration(info, State.PENDING), position, total));
            }
            case AFTER_EACH_MIGRATE -> {
                Duration took = Duration.ofNanos(System.nanoTime() - began);
                LOG.info("{} ({} of {}) took {} ms on {}", info.getScript(), position, total, took.toMillis(), url);
                current = null;
                Migration done = migration(info, State.APPLIED);
                applied.add(done);
                tell(hears -> hears.finished(done, position, total, took));
            }
            default -> {
                failed = true;
                // PostgreSQL takes no statement after a failure, and those of error callbacks would hide it.
                rollBack(context.getConnection());
                tell(hears -> hears.failed(migration(info, State.PENDING), position, total));
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
            LOG.debug("Rolling back the migrations of {} failed", url, e);
        }
    }

    private void tell(Consumer<MigrationListener> news) {
        if (listener == null) {
            return;
        }
        try {
            news.accept(listener);
        } catch (Throwable e) { // also an assertion of a test
            LOG.warn("The listener of the migrations of {} failed, which has no effect on them", url, e);
        }
    }

    @Override
    public String getCallbackName() {
        return ""; // Flyway goes by the names of callbacks, and this one must be the first
    }
}
