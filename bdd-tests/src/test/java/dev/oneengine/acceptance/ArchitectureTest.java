package dev.oneengine.acceptance;

import dev.oneengine.testing.ArchitectureRules;
import dev.oneengine.testing.Rooms;
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

    @Test
    void each_class_is_in_one_room_and_depends_only_on_earlier_rooms() {
        Rooms.of("dev.oneengine.acceptance")
                .room("interfaces of implementations", "*")
                .cycle(
                        "Identity rejects the adapters that it identifies, and EngineUnderTest.of selects the adapter for JDBC",
                        "CacheUnderTest",
                        "EngineUnderTest",
                        "Identity",
                        "JdbcEngine",
                        "MigrationsUnderTest",
                        "TransactionUnderTest",
                        "WorkUnderTest")
                .room("driver", "driver.*")
                .room(
                        "story",
                        "glue.Story",
                        "glue.StoryText",
                        "glue.StoryDrawing",
                        "glue.Failures",
                        "glue.Expect",
                        "glue.Poll")
                .room("threads", "glue.ThreadWatch", "glue.Worker", "glue.Crew", "glue.Caller")
                .room("databases", "glue.Database", "glue.Databases", "glue.ForeignLockHolder")
                .room("engines", "glue.EngineSeen", "glue.Opened")
                .room(
                        "recorded calls",
                        "glue.RecordedConnection",
                        "glue.RecordedEngine",
                        "glue.RecordedMigrations",
                        "glue.RecordedWork",
                        "glue.RecordedCache")
                .room(
                        "races",
                        "glue.CreationGate",
                        "glue.Creations",
                        "glue.Caches",
                        "glue.Engines",
                        "glue.NamedThreads",
                        "glue.Race")
                .room("checks of adapters", "glue.AdapterCheck", "glue.WarmUp")
                .room("world", "glue.World")
                .room("steps", "glue.*")
                .room("report", "report.*")
                .check();
    }
}
