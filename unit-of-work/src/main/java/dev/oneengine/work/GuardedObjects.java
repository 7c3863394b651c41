package dev.oneengine.work;

import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Struct;
import org.jspecify.annotations.Nullable;

/** Guards each object that the driver returns and that leads back to its connection. Confined to the unit's thread. */
final class GuardedObjects {
    private GuardedObjects() {}

    /**
     * Guards a result.
     *
     * @param promised the type that the method declares. It decides, because a driver's object may have several types: SQLite's rows are
     *     their own metadata
     * @param parent the object whose method returned the result
     * @return the result itself if it does not lead back to the connection
     */
    static @Nullable Object guard(@Nullable Object result, Class<?> promised, Guard guard, Guarded<?> parent) {
        if (result == null) {
            return null;
        }
        if (promised == ResultSet.class) {
            if (parent.target instanceof DatabaseMetaData) {
                guard.opened((ResultSet) result);
            }
            return new GuardedResultSet((ResultSet) result, guard, parent);
        }
        if (result instanceof Statement statement && Statement.class.isAssignableFrom(promised)) {
            guard.opened(statement);
            return promised == PreparedStatement.class
                    ? new GuardedPreparedStatement((PreparedStatement) statement, guard, parent)
                    : promised == CallableStatement.class
                            ? new GuardedCallableStatement((CallableStatement) statement, guard, parent)
                            : new GuardedStatement(statement, guard, parent);
        }
        if (promised == DatabaseMetaData.class) {
            return new GuardedDatabaseMetaData((DatabaseMetaData) result, guard, parent);
        }
        if (promised == ResultSetMetaData.class) {
            return new GuardedResultSetMetaData((ResultSetMetaData) result, guard, parent);
        }
        if (promised == ParameterMetaData.class) {
            return new GuardedParameterMetaData((ParameterMetaData) result, guard, parent);
        }
        return result instanceof Object[] elements
                ? guardElements(elements, guard, parent)
                : guardValue(result, promised, guard, parent);
    }

    /** Guards a value of a column or parameter by its own type. */
    private static Object guardValue(Object value, Class<?> promised, Guard guard, Guarded<?> parent) {
        if (value instanceof ResultSet rows) { // of a cursor
            return new GuardedResultSet(rows, guard, parent);
        }
        if (value instanceof Array array) {
            return new GuardedArray(array, guard, parent);
        }
        if (value instanceof Blob blob) {
            return new GuardedBlob(blob, guard, parent);
        }
        if (value instanceof NClob clob && promised != Clob.class) { // SQLite's class is both
            return new GuardedNClob(clob, guard, parent);
        }
        if (value instanceof Clob clob) {
            return new GuardedClob(clob, guard, parent);
        }
        if (value instanceof SQLXML xml) {
            return new GuardedSQLXML(xml, guard, parent);
        }
        if (value instanceof Struct struct) {
            return new GuardedStruct(struct, guard, parent);
        }
        if (value instanceof Ref ref) {
            return new GuardedRef(ref, guard, parent);
        }
        return GuardedStreams.guard(value, guard);
    }

    /** Guards the attributes of a structure or the elements of an array. */
    private static Object guardElements(Object[] elements, Guard guard, Guarded<?> parent) {
        Class<?> type = elements.getClass().getComponentType();
        if (type != Object.class && !type.isInterface() && !type.isArray()) {
            return elements;
        }
        Object[] guarded = elements.clone();
        for (int i = 0; i < guarded.length; i++) {
            guarded[i] = guard(guarded[i], type.isArray() ? Object.class : type, guard, parent);
        }
        return guarded;
    }
}
