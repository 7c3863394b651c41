package dev.oneengine.acceptance.glue;

import java.util.ArrayList;
import java.util.List;

/** The threads that race for the engine of a database. Confined to the thread of the scenario. */
final class Race {
    private final Databases databases;
    private final Creations creations;
    private final Crew crew;
    private List<Worker<EngineSeen>> racers = List.of();
    private String raced = "";

    Race(Databases databases, Creations creations, Crew crew) {
        this.databases = databases;
        this.creations = creations;
        this.crew = crew;
    }

    /** Lets threads race, and waits for their end. */
    void run(String database, int size, Crew.Racer<EngineSeen> racer) {
        raced = database;
        racers = crew.race(size, creations.of(database)::expect, racer);
    }

    /** Adds threads that the racers have started. */
    void add(List<Worker<EngineSeen>> more) {
        List<Worker<EngineSeen>> all = new ArrayList<>(racers);
        all.addAll(more);
        racers = all;
    }

    List<Worker<EngineSeen>> racers() {
        return racers;
    }

    /** Returns the database of the last race. */
    Database database() {
        return databases.get(raced);
    }
}
