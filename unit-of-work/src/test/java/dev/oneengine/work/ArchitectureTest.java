package dev.oneengine.work;

import dev.oneengine.testing.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    @Test
    void units_of_work_know_the_cache_and_nothing_else() {
        ArchitectureRules.check(
                "dev.oneengine.work",
                "dev.oneengine.cache",
                "dev.oneengine.cache.internal",
                "javax.sql",
                "javax.xml.transform",
                "org.postgresql..",
                "org.postgresql.core..",
                "org.slf4j..",
                "com.google.errorprone.annotations..");
    }
}
