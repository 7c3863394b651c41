package dev.oneengine.demo;

import dev.oneengine.demo.Event.Kind;
import dev.oneengine.demo.RaceResult.Outcome;
import dev.oneengine.demo.Subject.Found;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Runs the race: two threads ask for one URL. A creates a table and writes a row, then B writes a row, then both count. Not
 * thread-safe; use one instance per run.
 */
final class RaceDemo {
    private final Subject subject;
    private final Recorder recorder;

    private final CountDownLatch tableIsMade = new CountDownLatch(1);
    private final CountDownLatch secondIsDone = new CountDownLatch(1);

    RaceDemo(Subject subject, Recorder recorder) {
        this.subject = subject;
        this.recorder = recorder;
    }

    RaceResult run() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Outcome> a = threads.submit(this::first);
            Future<Outcome> b = threads.submit(this::second);
            Outcome first = Limits.get(a);
            Outcome second = Limits.get(b);
            return new RaceResult(
                    subject.title(), subject.place(), recorder.events(), subject.created(), first, second);
        } finally {
            threads.shutdownNow();
        }
    }

    private Outcome first() throws Exception {
        Found found = subject.engine(Lane.A);
        execute(Lane.A, found, "CREATE TABLE plan(step)");
        String failure = execute(Lane.A, found, "INSERT INTO plan VALUES (1)");
        tableIsMade.countDown();
        Limits.await(secondIsDone, "thread B is done");
        return new Outcome(found.number(), count(Lane.A, found), failure);
    }

    private Outcome second() throws Exception {
        Found found = subject.engine(Lane.B);
        try {
            Limits.await(tableIsMade, "thread A makes a table");
            String failure = execute(Lane.B, found, "INSERT INTO plan VALUES (2)");
            return new Outcome(found.number(), failure == null ? count(Lane.B, found) : -1, failure);
        } finally {
            secondIsDone.countDown();
        }
    }

    /** Executes a statement and returns the message of its failure. */
    private @Nullable String execute(Lane lane, Found found, String sql) {
        try (Connection connection = found.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            recorder.record(lane, Kind.USE, found.number(), sql);
            return null;
        } catch (SQLException e) {
            return failed(lane, found, sql, e);
        }
    }

    private int count(Lane lane, Found found) {
        String sql = "SELECT count(*) FROM plan";
        try (Connection connection = found.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int rows = result.getInt(1);
            recorder.record(lane, Kind.USE, found.number(), sql + ": " + rows);
            return rows;
        } catch (SQLException e) {
            failed(lane, found, sql, e);
            return -1;
        }
    }

    private String failed(Lane lane, Found found, String sql, SQLException e) {
        String message = String.valueOf(e.getMessage());
        recorder.record(lane, Kind.FAILED, found.number(), sql + ": " + message);
        return message;
    }
}
