package dev.oneengine.work;

import dev.oneengine.testing.ArchitectureRules;
import dev.oneengine.testing.Rooms;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    @Test
    void units_of_work_depend_only_on_the_cache() {
        ArchitectureRules.check(
                "dev.oneengine.work",
                "dev.oneengine.cache..",
                "javax.sql",
                "javax.xml.transform",
                "org.postgresql..",
                "org.postgresql.core..",
                "org.slf4j..",
                "com.google.errorprone.annotations..");
    }

    @Test
    void each_class_is_in_one_room_and_depends_only_on_earlier_rooms() {
        Rooms.of("dev.oneengine.work")
                .room(
                        "failures",
                        "TransactionException",
                        "RollbackOnlyException",
                        "AfterCommitException",
                        "Durations",
                        "Conflicts")
                .room("settings", "RetryPolicy", "UnitSettings")
                .room(
                        "databases",
                        "TransactionSql",
                        "TransactionControl",
                        "SqliteTransactionControl",
                        "PostgresTransactionControl",
                        "PostgresDriver",
                        "JdbcTransactionControl")
                .room("connection", "RollbackScope", "PendingStream", "ConnectionLease")
                .room("state of a unit", "UnitState", "OpenUnits", "LeakWatch")
                .room(
                        "guarded connection",
                        "GenerateForwarding",
                        "Guard",
                        "Guarded",
                        "GuardedObjects",
                        "GuardedStreams",
                        "GuardedPgConnection",
                        "ConnectionRules",
                        "StatementRules",
                        "ResultSetRules",
                        "TransactionDataSource",
                        "GuardedArray",
                        "GuardedBlob",
                        "GuardedCallableStatement",
                        "GuardedClob",
                        "GuardedConnection",
                        "GuardedDatabaseMetaData",
                        "GuardedNClob",
                        "GuardedParameterMetaData",
                        "GuardedPreparedStatement",
                        "GuardedRef",
                        "GuardedResultSet",
                        "GuardedResultSetMetaData",
                        "GuardedSQLXML",
                        "GuardedStatement",
                        "GuardedStruct")
                .room("unit", "TransactionRole", "RepositoryFactory", "Repositories", "TransactionHooks", "Unit")
                .room(
                        "transaction",
                        "Transaction",
                        "TransactionAction",
                        "TransactionFunction",
                        "RetryLoop",
                        "JoinedCall",
                        "NestedTransaction")
                .room("entry", "PreparedEngine", "UnitOfWork")
                .cycle(
                        "each database selects its subclass in TransactionControl.of",
                        "TransactionControl",
                        "SqliteTransactionControl",
                        "PostgresTransactionControl",
                        "JdbcTransactionControl")
                .cycle(
                        "a guarded object guards the results of its methods",
                        "Guarded",
                        "GuardedObjects",
                        "StatementRules",
                        "ResultSetRules",
                        "GuardedArray",
                        "GuardedBlob",
                        "GuardedCallableStatement",
                        "GuardedClob",
                        "GuardedDatabaseMetaData",
                        "GuardedNClob",
                        "GuardedParameterMetaData",
                        "GuardedPreparedStatement",
                        "GuardedRef",
                        "GuardedResultSet",
                        "GuardedResultSetMetaData",
                        "GuardedSQLXML",
                        "GuardedStatement",
                        "GuardedStruct")
                .cycle(
                        "a transaction runs functions, which get a transaction",
                        "Transaction",
                        "TransactionAction",
                        "TransactionFunction",
                        "RetryLoop",
                        "NestedTransaction")
                .check();
    }
}
