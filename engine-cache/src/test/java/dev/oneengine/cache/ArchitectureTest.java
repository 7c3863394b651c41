package dev.oneengine.cache;

import dev.oneengine.testing.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    @Test
    void the_cache_knows_nothing_above_it() {
        ArchitectureRules.check(
                "dev.oneengine.cache",
                "javax.sql",
                "com.zaxxer.hikari..",
                "org.sqlite..",
                "org.slf4j..",
                "com.google.errorprone.annotations..");
    }
}
