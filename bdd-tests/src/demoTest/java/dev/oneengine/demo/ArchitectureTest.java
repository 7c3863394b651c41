package dev.oneengine.demo;

import dev.oneengine.testing.ArchitectureRules;
import dev.oneengine.testing.Rooms;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    @Test
    void the_demo_depends_only_on_permitted_packages() {
        ArchitectureRules.check(
                "dev.oneengine.demo",
                "dev.oneengine.cache",
                "dev.oneengine.work",
                "javax.sql",
                "com.zaxxer.hikari..",
                "org.sqlite..",
                "org.awaitility..");
    }

    @Test
    void no_classes_of_the_demo_form_a_cycle() {
        Rooms.of("dev.oneengine.demo").room("demo", "*").check();
    }
}
