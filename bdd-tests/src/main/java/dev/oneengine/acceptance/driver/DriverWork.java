package dev.oneengine.acceptance.driver;

import dev.oneengine.acceptance.ConnectionUnderTest;
import dev.oneengine.acceptance.Identity;
import dev.oneengine.acceptance.TransactionUnderTest;
import dev.oneengine.acceptance.WorkUnderTest;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Units of work of a driver. Thread-safe. */
final class DriverWork implements WorkUnderTest {
    private final DriverProcess process;
    private final List<String> operands;
    private volatile @Nullable String engine;

    /**
     * Runs units.
     *
     * @param operands the database, as operands of a call
     */
    DriverWork(DriverProcess process, String... operands) {
        this.process = process;
        this.operands = List.of(operands);
    }

    /** The driver names the engine when it opens a unit. */
    @Override
    public Identity engine() {
        String id = engine;
        if (id == null) {
            throw new IllegalStateException("The driver has not opened a unit of work yet");
        }
        return DriverEngine.identity(process, id);
    }

    @Override
    public void run(Body body) throws Exception {
        run("unit", body);
    }

    @Override
    public void read(Body body) throws Exception {
        run("read", body);
    }

    private void run(String kind, Body body) throws Exception {
        Object[] all = Stream.concat(operands.stream(), Stream.of("kind", kind)).toArray();
        engine = process.call("enter", all).text("engine");
        try {
            body.run(new Tx());
        } catch (Exception e) {
            process.call("leave", "failure", String.valueOf(e.getMessage()));
            return; // the driver has hidden the failure from the caller of the unit
        } catch (Error e) {
            try {
                process.call("leave", "failure", String.valueOf(e.getMessage()));
            } catch (CallFailedException failure) {
                e.addSuppressed(failure);
            }
            throw e;
        }
        process.call("leave");
    }

    private final class Tx implements TransactionUnderTest {
        @Override
        public ConnectionUnderTest connection() {
            return new DriverConnection(process);
        }

        @Override
        public void nested(Body body) throws Exception {
            DriverWork.this.run("nested", body);
        }
    }
}
