package dev.oneengine.acceptance.glue;

import io.cucumber.java.en.When;

/** Steps about joined units and nested transactions. Confined to the thread of the scenario. */
public final class NestingSteps {
    private final Units units;

    public NestingSteps(Units units) {
        this.units = units;
    }

    @When("a unit of work adds {string} and a joined unit adds {string}")
    public void joined(String outer, String inner) {
        units.run(tx -> {
            Items.add(tx.connection(), outer);
            units.work().run(Units.adding(inner));
        });
    }

    @When("a unit of work fails after a joined unit has added {string}")
    public void failsAfterJoined(String inner) {
        units.run(tx -> {
            units.work().run(Units.adding(inner));
            throw Units.failure();
        });
    }

    @When("a unit of work adds {string} and swallows the failure of a joined unit")
    public void swallowsJoined(String outer) {
        units.run(tx -> {
            Items.add(tx.connection(), outer);
            Units.swallow(() -> units.work().run(Units.addingAndFailing("lost")));
        });
    }

    @When("a unit of work adds {string} and a nested transaction adds {string}")
    public void nested(String outer, String inner) {
        units.run(tx -> {
            Items.add(tx.connection(), outer);
            tx.nested(Units.adding(inner));
        });
    }

    @When("a unit of work adds {string} and survives the failure of a nested transaction that adds {string}")
    public void nestedFails(String outer, String inner) {
        units.run(tx -> {
            Items.add(tx.connection(), outer);
            Units.swallow(() -> tx.nested(Units.addingAndFailing(inner)));
        });
    }

    @When("a unit of work fails after a nested transaction has added {string}")
    public void failsAfterNested(String inner) {
        units.run(tx -> {
            tx.nested(Units.adding(inner));
            throw Units.failure();
        });
    }
}
