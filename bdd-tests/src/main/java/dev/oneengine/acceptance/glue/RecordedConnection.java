package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.ConnectionUnderTest;
import java.util.List;

/** A connection that records its calls in the story of the scenario. Confined to its thread. */
record RecordedConnection(ConnectionUnderTest connection, Story story, String engine) implements ConnectionUnderTest {
    @Override
    public List<String> sql(String sql) throws Exception {
        return story.call(sql + " on " + engine, () -> connection.sql(sql), rows -> "finds " + rows);
    }

    @Override
    public void begin() throws Exception {
        story.call("begins a transaction on " + engine, connection::begin, "has begun it");
    }

    @Override
    public void commit() throws Exception {
        story.call("commits", connection::commit, "has committed");
    }

    @Override
    public void rollback() throws Exception {
        story.call("rolls back", connection::rollback, "has rolled back");
    }

    @Override
    public void switchToAutoCommit() throws Exception {
        story.call("switches to auto-commit", connection::switchToAutoCommit, "has switched");
    }

    @Override
    public void close() throws Exception {
        connection.close();
    }
}
