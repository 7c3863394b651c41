package dev.oneengine.cache;

import dev.oneengine.testing.ArchitectureRules;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ModelTestArchitectureTest {
    @Test
    void the_model_tests_depend_only_on_permitted_packages() {
        ArchitectureRules.check(
                "dev.oneengine.cache",
                "javax.sql",
                "com.zaxxer.hikari..",
                "org.sqlite..",
                "org.slf4j..",
                "com.google.errorprone.annotations..",
                "dev.oneengine.testing",
                "org.assertj.core.api..",
                "org.jetbrains.lincheck..",
                "org.junit.jupiter.api..");
    }
}
