package dev.oneengine.migration;

import dev.oneengine.testing.ArchitectureRules;
import dev.oneengine.testing.Rooms;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    @Test
    void migrations_depend_on_the_cache_and_flyway_but_not_on_units_of_work() {
        ArchitectureRules.check(
                "dev.oneengine.migration",
                "dev.oneengine.cache",
                "dev.oneengine.cache.internal",
                "javax.sql",
                "com.zaxxer.hikari",
                "org.flywaydb.core..",
                "org.flywaydb.database.postgresql",
                "org.junit..", // only the package junit can use it, because the other packages compile without it
                "org.sqlite..",
                "org.slf4j..",
                "com.google.errorprone.annotations..");
    }

    @Test
    void each_class_is_in_one_room_and_depends_only_on_earlier_rooms() {
        Rooms.of("dev.oneengine.migration")
                .room("failures", "MigrationException", "MigrationHistoryException", "MigrationScriptException")
                .room("translation of Flyway's failures", "FlywayFailures")
                .room("results", "Migration", "MigrationResult", "MigrationListener")
                .room(
                        "JDBC",
                        "Cleanup",
                        "Jdbc",
                        "ConnectionOnlyDataSource",
                        "StubDatabase",
                        "GenerateForwarding",
                        "ConnectionRules",
                        "ForwardingConnection",
                        "FlywayDataSource",
                        "TransactionView",
                        "StatementRules",
                        "ViewStatement",
                        "ViewPreparedStatement",
                        "ViewCallableStatement")
                .room("lock between processes", "MigrationFileLock")
                .room("parts of SQLite", "SqliteForeignKeys", "ReadOnlyFile", "ReadOnlyMode")
                .room(
                        "parts of PostgreSQL",
                        "PostgresSessionSettings",
                        "PostgresScriptSession",
                        "PostgresReadOnlyTransaction",
                        "FlywayLockMode")
                .room("databases", "DatabaseSupport", "SqliteSupport", "SqliteFileSupport", "PostgresSupport")
                .cycle(
                        "the connection of a statement is the view that created it",
                        "TransactionView",
                        "StatementRules",
                        "ViewStatement",
                        "ViewPreparedStatement",
                        "ViewCallableStatement")
                .cycle(
                        "the interface selects its implementations, in one place",
                        "DatabaseSupport",
                        "SqliteSupport",
                        "SqliteFileSupport",
                        "PostgresSupport")
                .room("Flyway", "RunnerSettings", "FlywayFactory", "FlywayExtensions")
                .room("scripts", "FileTree", "ScriptStamp", "ScriptFiles", "Scripts")
                .room("history", "History", "Progress")
                .room("run", "EngineConnections", "RunTransaction", "ScriptTransactions", "MigrationStep")
                .room("runner", "MigrationRunner")
                .room(
                        "forks",
                        "TemplateDatabase",
                        "MemoryTemplate",
                        "FileTemplate",
                        "PostgresTemplate",
                        "TemporaryDatabase",
                        "MigratedTemplate")
                .cycle(
                        "the interface selects its implementations, in one place",
                        "TemplateDatabase",
                        "MemoryTemplate",
                        "FileTemplate",
                        "PostgresTemplate")
                .room(
                        "JUnit",
                        "junit.RunningTest",
                        "junit.CurrentFork",
                        "junit.NoSeed",
                        "junit.MigratedDatabase",
                        "junit.MigratedDatabaseExtension")
                .cycle(
                        "the annotation registers the extension, which reads the annotation; a running test holds extensions",
                        "junit.RunningTest",
                        "junit.MigratedDatabase",
                        "junit.MigratedDatabaseExtension")
                .check();
    }
}
