package dev.oneengine.acceptance.driver;

import dev.oneengine.acceptance.ConnectionUnderTest;
import java.util.ArrayList;
import java.util.List;

/** A connection of a driver, or the connection of the innermost unit of work. Confined to its thread. */
final class DriverConnection implements ConnectionUnderTest {
    private final DriverProcess process;
    private final List<Object> operands;

    /**
     * Uses a connection.
     *
     * @param operands the connection, as operands of a call; none for the connection of the unit
     */
    DriverConnection(DriverProcess process, Object... operands) {
        this.process = process;
        this.operands = List.of(operands);
    }

    @Override
    public List<String> sql(String sql) throws Exception {
        List<Object> all = new ArrayList<>(operands);
        all.add("sql");
        all.add(sql);
        return process.call("sql", all.toArray()).texts("rows");
    }

    @Override
    public void begin() throws Exception {
        process.call("begin", operands.toArray());
    }

    @Override
    public void commit() throws Exception {
        process.call("commit", operands.toArray());
    }

    @Override
    public void rollback() throws Exception {
        process.call("rollback", operands.toArray());
    }

    @Override
    public void close() throws Exception {
        process.call("disconnect", operands.toArray());
    }
}
