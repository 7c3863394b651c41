package dev.oneengine.acceptance;

import java.sql.Connection;

/** Units of work made by hand: begin, commit and roll back. Each keeps its engine, as in the bug reports. Confined to its thread. */
final class HandMadeWork implements WorkUnderTest {
    private final Source source;
    private final Step preparation;
    private HandMadeEngine engine;

    HandMadeWork(Source source, Step preparation) {
        this.source = source;
        this.preparation = preparation;
    }

    /** Where an engine comes from. */
    interface Source {
        HandMadeEngine get() throws Exception;
    }

    /** The preparation of an engine before its first use. */
    interface Step {
        void run(HandMadeEngine engine) throws Exception;
    }

    @Override
    public Identity engine() throws Exception {
        return open().identity();
    }

    private HandMadeEngine open() throws Exception {
        if (engine == null) {
            engine = source.get();
            preparation.run(engine);
        }
        return engine;
    }

    @Override
    public void run(Body body) throws Exception {
        try (Connection connection = open().dataSource().getConnection()) {
            connection.setAutoCommit(false);
            try {
                ConnectionUnderTest adapter = JdbcConnection.of(connection);
                body.run(() -> adapter);
                connection.commit();
            } catch (Throwable t) {
                connection.rollback();
                throw t;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }
}
