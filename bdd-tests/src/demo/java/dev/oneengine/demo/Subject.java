package dev.oneengine.demo;

import javax.sql.DataSource;

/** A cache that both threads ask for the engine of one URL. Thread-safe but for closing. */
interface Subject extends AutoCloseable {
    /** The URL that both ask for: to each application the one database of its own in memory. */
    String URL = "sqlite:///:memory:";

    /** What asks, in a few words. */
    String title();

    /** What stands between the threads. */
    String place();

    /**
     * Asks for the engine.
     *
     * @param lane which of the two threads calls
     */
    Found engine(Lane lane) throws Exception;

    /** How many engines there were until now. */
    int created();

    @Override
    void close();

    /**
     * An engine that a thread got.
     *
     * @param number which engine it is, in the order of creation
     * @param dataSource its connections
     */
    record Found(int number, DataSource dataSource) {}
}
