package dev.oneengine.demo;

import dev.oneengine.demo.Event.Kind;
import dev.oneengine.demo.RaceResult.Outcome;
import dev.oneengine.demo.Subject.NumberedEngine;
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
        NumberedEngine engine = subject.engine(Lane.A);
        execute(Lane.A, engine, "CREATE TABLE plan(step)");
        String failure = execute(Lane.A, engine, "INSERT INTO plan VALUES (1)");
        tableIsMade.countDown();
        Limits.await(secondIsDone, "thread B is done");
        return new Outcome(engine.number(), count(Lane.A, engine), failure);
    }

    private Outcome second() throws Exception {
        NumberedEngine engine = subject.engine(Lane.B);
        try {
            Limits.await(tableIsMade, "thread A makes a table");
            String failure = execute(Lane.B, engine, "INSERT INTO plan VALUES (2)");
            return new Outcome(engine.number(), failure == null ? count(Lane.B, engine) : -1, failure);
        } finally {
            secondIsDone.countDown();
        }
    }

    /** Executes a statement and returns the message of its failure. */
    private @Nullable String execute(Lane lane, NumberedEngine engine, String sql) {
        try (Connection connection = engine.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            recorder.record(lane, Kind.USE, engine.number(), sql);
            return null;
        } catch (SQLException e) {
            return failed(lane, engine, sql, e);
        }
    }

    private int count(Lane lane, NumberedEngine engine) {
        String sql = "SELECT count(*) FROM plan";
        try (Connection connection = engine.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int rows = result.getInt(1);
            recorder.record(lane, Kind.USE, engine.number(), sql + ": " + rows);
            return rows;
        } catch (SQLException e) {
            failed(lane, engine, sql, e);
            return -1;
        }
    }

    private String failed(Lane lane, NumberedEngine engine, String sql, SQLException e) {
        String message = String.valueOf(e.getMessage());
        recorder.record(lane, Kind.FAILED, engine.number(), sql + ": " + message);
        return message;
    }
}
