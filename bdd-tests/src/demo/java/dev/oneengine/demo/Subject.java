package dev.oneengine.demo;

import javax.sql.DataSource;

/** A cache that both threads ask for the engine of one URL. Thread-safe, except for closing. */
interface Subject extends AutoCloseable {
    /** The URL that both threads ask for: the in-memory database of the application. */
    String URL = "sqlite:///:memory:";

    /** The name of the cache. */
    String title();

    /** The name of the object that both threads use. */
    String place();

    /**
     * Returns the engine.
     *
     * @param lane the calling thread
     */
    NumberedEngine engine(Lane lane) throws Exception;

    /** Returns the number of engines created so far. */
    int created();

    @Override
    void close();

    /**
     * The engine that a thread got.
     *
     * @param number its number, in the order of creation
     * @param dataSource the source of its connections
     */
    record NumberedEngine(int number, DataSource dataSource) {}
}
