package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.ConnectionUnderTest;
import dev.oneengine.acceptance.EngineUnderTest;
import dev.oneengine.acceptance.Identity;
import java.util.List;

/** An engine that records its calls in the story of the scenario. Thread-safe. */
record RecordedEngine(EngineUnderTest engine, Story story) implements EngineUnderTest {
    @Override
    public Identity identity() {
        return engine.identity();
    }

    private String name() {
        return story.engine(identity());
    }

    @Override
    public ConnectionUnderTest connect() throws Exception {
        return new RecordedConnection(engine.connect(), story, name());
    }

    @Override
    public List<String> sql(String sql) throws Exception {
        return story.call(sql + " on " + name(), () -> engine.sql(sql), rows -> "finds " + rows);
    }

    @Override
    public void close() throws Exception {
        story.call("closes " + name(), engine::close, "has closed it");
    }

    @Override
    public boolean isClosed() {
        return engine.isClosed();
    }

    @Override
    public void closeIdleConnections() throws Exception {
        story.call("closes the idle connections of " + name(), engine::closeIdleConnections, "has closed them");
    }
}
