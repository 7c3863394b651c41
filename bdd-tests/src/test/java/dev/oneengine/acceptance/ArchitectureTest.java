package dev.oneengine.acceptance;

import dev.oneengine.testing.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    @Test
    void the_kit_depends_on_no_implementation() {
        ArchitectureRules.check(
                "dev.oneengine.acceptance",
                "javax.sql",
                "io.cucumber.java..",
                "io.cucumber.plugin..",
                "io.zonky.test.db.postgres.embedded",
                "org.awaitility..",
                "org.junit.platform.suite.api",
                "org.opentest4j");
    }
}
