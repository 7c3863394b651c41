package dev.oneengine.cache;

import dev.oneengine.testing.ArchitectureRules;
import dev.oneengine.testing.Rooms;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    @Test
    void the_cache_depends_on_nothing_above_it() {
        ArchitectureRules.check(
                "dev.oneengine.cache",
                "javax.sql",
                "com.zaxxer.hikari..",
                "org.sqlite..",
                "org.slf4j..",
                "com.google.errorprone.annotations..");
    }

    @Test
    void a_room_depends_only_on_earlier_rooms() {
        Rooms.of("dev.oneengine.cache")
                .room("code for all modules", "internal.*")
                .room("parsers of URLs", "url.*")
                .room("identity of a database", "EngineException", "InvalidDatabaseUrlException", "DatabaseUrl")
                .room("settings", "EngineSettings", "SettingLimits")
                .cycle(
                        "SettingLimits is the part of EngineSettings that checks values",
                        "EngineSettings",
                        "SettingLimits")
                .room(
                        "failures",
                        "FailureCollector",
                        "SecretMask",
                        "FailureAdvice",
                        "EngineClosedException",
                        "EngineCreationException",
                        "EngineSettingsException",
                        "PreparationException")
                .room("single flights", "StackReserve", "SingleFlight")
                .room(
                        "queue",
                        "AccessMode",
                        "ConnectionDeadlocks",
                        "HeldTurns",
                        "TimeSlice",
                        "AccessQueue",
                        "ConnectionTurn")
                .room(
                        "transactions of SQLite",
                        "SqlKind",
                        "SqliteAction",
                        "SqliteCommand",
                        "SqliteCursor",
                        "OpenCursors",
                        "QueryOnly",
                        "TransactionCommands",
                        "SqliteHandle",
                        "SqliteLockWait",
                        "StatementCache",
                        "SqliteTransaction",
                        "StatementRunner")
                .room(
                        "connections of SQLite",
                        "SqliteResultSet",
                        "StatementResults",
                        "LentStatementPointer",
                        "SqliteStatement",
                        "SqlitePreparedStatement",
                        "Anchor",
                        "SqliteConnection")
                .room("drivers", "DriverLoader", "DriverDataSource")
                .room(
                        "one class for each database",
                        "PooledDatabase",
                        "SqliteFileCheck",
                        "SqliteDatabase",
                        "MemoryDatabase",
                        "FileDatabase",
                        "PgBouncerCheck",
                        "PostgresTimeouts",
                        "PostgresEvictionRule",
                        "PostgresDatabase")
                .room(
                        "pools",
                        "EngineSource",
                        "PoolThreadFactory",
                        "PoolHousekeeper",
                        "SafeMetrics",
                        "PooledEngineSource")
                .room(
                        "connections of an engine",
                        "BorrowedConnections",
                        "ForwardingConnection",
                        "EngineConnection",
                        "EngineDataSource",
                        "Admission")
                .room("engine", "Preparations", "Preparation", "Engine")
                .cycle("a preparation gets its engine, and an engine runs preparations", "Engine", "Preparation")
                .room(
                        "cache",
                        "EngineFactory",
                        "AliasIndex",
                        "EngineHolder",
                        "CacheCounters",
                        "EngineCacheStats",
                        "EngineCache")
                .check();
    }
}
