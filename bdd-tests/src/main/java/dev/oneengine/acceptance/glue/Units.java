package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertSays;

import dev.oneengine.acceptance.EngineUnderTest;
import dev.oneengine.acceptance.WorkUnderTest;
import dev.oneengine.acceptance.WorkUnderTest.Body;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The units of work of a scenario, all of them on one database. Confined to the thread of the scenario and of its units. */
public final class Units {
    private static final String FAILURE = "the part fails";

    private final Databases databases;
    private final Caches caches;
    private final Engines engines;
    private final Caller caller;
    private String database = "";
    private @Nullable WorkUnderTest work;

    public Units(World world) {
        databases = world.databases();
        caches = world.caches();
        engines = world.engines();
        caller = world.caller();
    }

    /** Work that may fail. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    void create(String name) throws Exception {
        database = name;
        work = caches.first().work(databases.get(name).url());
    }

    WorkUnderTest work() {
        return Objects.requireNonNull(work, "no step has created units of work");
    }

    EngineUnderTest engine() {
        return engines.of(database).get();
    }

    List<String> items() {
        return engines.query(database, Items::all);
    }

    /** Runs a unit, which may fail. */
    void run(Body body) {
        attempt(() -> work().run(body));
    }

    /** Does work that may fail. */
    void attempt(Action action) {
        caller.attempt(() -> {
            action.run();
            return true;
        });
    }

    /** Returns the failure of a nested transaction or joined unit that must fail. */
    static IllegalStateException failure() {
        return new IllegalStateException(FAILURE);
    }

    static Body adding(String item) {
        return tx -> Items.add(tx.connection(), item);
    }

    static Body addingAndFailing(String item) {
        return tx -> {
            Items.add(tx.connection(), item);
            throw failure();
        };
    }

    /** Runs a part of a unit that must fail, and swallows its failure. */
    static void swallow(Action part) {
        Throwable failure = null;
        try {
            part.run();
        } catch (Throwable t) {
            failure = t;
        }
        assertIsOfThePart(failure);
    }

    static void assertIsOfThePart(@Nullable Throwable failure) {
        assertSays(failure, FAILURE);
    }
}
