package dev.oneengine.migration;

import dev.oneengine.testing.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    @Test
    void migrations_know_the_cache_and_flyway_but_no_units_of_work() {
        ArchitectureRules.check(
                "dev.oneengine.migration",
                "dev.oneengine.cache",
                "dev.oneengine.cache.internal",
                "javax.sql",
                "com.zaxxer.hikari",
                "org.flywaydb.core..",
                "org.flywaydb.database.postgresql",
                "org.junit..", // in the package junit only, as no other would compile without
                "org.sqlite..",
                "org.slf4j..",
                "com.google.errorprone.annotations..");
    }
}
