package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.Ability;
import dev.oneengine.acceptance.AcceptanceKit;
import dev.oneengine.acceptance.DatabaseKind;
import io.cucumber.java.After;
import io.cucumber.java.AfterAll;
import io.cucumber.java.Before;
import io.cucumber.java.BeforeAll;
import io.cucumber.java.ParameterType;
import io.cucumber.java.Scenario;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/** Prepares and ends each scenario. Confined to the thread of the scenario. */
public final class Hooks {
    private static final String ID = "@[A-Z]{2}-\\d{2}";
    private static final Map<Ability, Integer> SKIPPED = new ConcurrentSkipListMap<>();
    private static final Set<String> FAILED = new ConcurrentSkipListSet<>();

    private final World world;

    public Hooks(World world) {
        this.world = world;
    }

    /** Skips a scenario that needs a missing ability: the scenario neither passes nor fails. */
    @Before
    public void begin(Scenario scenario) throws Exception {
        Collection<String> tags = scenario.getSourceTagNames();
        Set<Ability> offered = world.implementation().abilities();
        for (Ability ability : Ability.values()) {
            if (tags.contains(ability.tag()) && !offered.contains(ability)) {
                if (AcceptanceKit.demanded().contains(ability)) {
                    throw new AssertionError("The profile demands " + ability
                            + ", which the implementation does not offer in Implementation.abilities()");
                }
                SKIPPED.merge(ability, 1, Integer::sum);
                throw new TestAbortedException(
                        "The implementation does not offer " + ability + " in Implementation.abilities()");
            }
        }
        Expect.belongTo(world.story());
        world.begin();
    }

    @BeforeAll
    public static void forgetEarlierRun() {
        SKIPPED.clear();
        FAILED.clear();
    }

    /** The names that JUnit shows lack the IDs, by which the documents list the scenarios. */
    @AfterAll
    public static void reportFailed() {
        if (!FAILED.isEmpty()) {
            System.out.println("Acceptance suite " + AcceptanceKit.SUITE_VERSION + ": scenarios failed: "
                    + String.join(", ", FAILED));
        }
    }

    /** If most scenarios are skipped, the user needs to know how to run them. */
    @AfterAll
    public static void reportSkipped() {
        if (!SKIPPED.isEmpty()) {
            System.out.println("Acceptance suite " + AcceptanceKit.SUITE_VERSION
                    + ": scenarios skipped, by the ability that the implementation does not offer:");
            SKIPPED.forEach((ability, scenarios) -> System.out.printf(Locale.ROOT, "%6d  %s%n", scenarios, ability));
            System.out.println("If your implementation has one of these, return it from Implementation.abilities().");
        }
    }

    @After
    public void end(Scenario scenario) throws Exception {
        if (scenario.isFailed()) {
            scenario.getSourceTagNames().stream()
                    .filter(tag -> tag.matches(ID))
                    .forEach(tag -> FAILED.add(tag.substring(1)));
            List<Story.Event> events = world.story().events();
            log(scenario, StoryText.of(events));
            scenario.attach(
                    StoryDrawing.svg(events).getBytes(StandardCharsets.UTF_8), "image/svg+xml", "What the threads did");
            log(scenario, world.caches().diagnostics());
        }
        try {
            world.end();
        } finally {
            Expect.belongTo(null);
        }
    }

    private static void log(Scenario scenario, String text) {
        if (!text.isEmpty()) {
            scenario.log(text);
        }
    }

    @ParameterType("in-memory|file|PostgreSQL")
    public DatabaseKind kind(String text) {
        return Stream.of(DatabaseKind.values())
                .filter(kind -> kind.toString().equals(text))
                .findFirst()
                .orElseThrow();
    }
}
