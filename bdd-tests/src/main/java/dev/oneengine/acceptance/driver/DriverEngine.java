package dev.oneengine.acceptance.driver;

import dev.oneengine.acceptance.ConnectionUnderTest;
import dev.oneengine.acceptance.EngineUnderTest;
import dev.oneengine.acceptance.Identity;
import java.util.List;

/** An engine of a driver. Thread-safe. */
record DriverEngine(DriverProcess process, String id) implements EngineUnderTest {
    static Identity identity(DriverProcess process, String id) {
        return Identity.outside("engine " + id + " of driver " + process.pid());
    }

    @Override
    public Identity identity() {
        return identity(process, id);
    }

    @Override
    public ConnectionUnderTest connect() throws Exception {
        String connection = process.call("connect", "engine", id).text("connection");
        return new DriverConnection(process, "connection", connection);
    }

    @Override
    public List<String> sql(String sql) throws Exception {
        return process.call("sql", "engine", id, "sql", sql).texts("rows");
    }

    @Override
    public void close() throws Exception {
        process.call("close-engine", "engine", id);
    }

    @Override
    public boolean isClosed() {
        try {
            return process.call("closed", "engine", id).text("closed").equals("true");
        } catch (CallFailedException e) {
            throw new AssertionError("The driver cannot say whether an engine is closed", e);
        }
    }

    @Override
    public void closeIdleConnections() throws Exception {
        process.call("close-idle", "engine", id);
    }
}
