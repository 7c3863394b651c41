package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.Ability;
import io.cucumber.java.After;
import io.cucumber.java.Before;
import io.cucumber.java.ParameterType;
import io.cucumber.java.Scenario;
import java.util.Collection;
import java.util.Set;
import org.opentest4j.TestAbortedException;

/** What happens around each scenario. For the thread of the scenario. */
public final class Hooks {
    private final World world;

    public Hooks(World world) {
        this.world = world;
    }

    /** A scenario that needs what the implementation does not have is skipped: it has neither passed nor failed. */
    @Before
    public void begin(Scenario scenario) throws Exception {
        Collection<String> tags = scenario.getSourceTagNames();
        Set<Ability> offered = world.implementation().abilities();
        for (Ability ability : Ability.values()) {
            if (tags.contains(ability.tag()) && !offered.contains(ability)) {
                throw new TestAbortedException("The implementation does not offer " + ability);
            }
        }
        world.begin();
    }

    @After
    public void end() throws Exception {
        world.end();
    }

    @ParameterType("in-memory|file|PostgreSQL")
    public String kind(String kind) {
        return kind;
    }
}
