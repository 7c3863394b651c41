package dev.oneengine.cache;

import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Struct;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;

/** A connection that forwards all calls to another one, except those that a subclass implements. As thread-safe as the other one. */
abstract class ForwardingConnection implements Connection {
    final Connection pooled;

    ForwardingConnection(Connection pooled) {
        this.pooled = pooled;
    }

    @Override
    public Statement createStatement() throws SQLException {
        return pooled.createStatement();
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        return pooled.prepareStatement(sql);
    }

    @Override
    public CallableStatement prepareCall(String sql) throws SQLException {
        return pooled.prepareCall(sql);
    }

    @Override
    public String nativeSQL(String sql) throws SQLException {
        return pooled.nativeSQL(sql);
    }

    @Override
    public void setAutoCommit(boolean autoCommit) throws SQLException {
        pooled.setAutoCommit(autoCommit);
    }

    @Override
    public boolean getAutoCommit() throws SQLException {
        return pooled.getAutoCommit();
    }

    @Override
    public void commit() throws SQLException {
        pooled.commit();
    }

    @Override
    public void rollback() throws SQLException {
        pooled.rollback();
    }

    @Override
    public boolean isClosed() throws SQLException {
        return pooled.isClosed();
    }

    @Override
    public void setReadOnly(boolean readOnly) throws SQLException {
        pooled.setReadOnly(readOnly);
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        return pooled.isReadOnly();
    }

    @Override
    public void setCatalog(String catalog) throws SQLException {
        pooled.setCatalog(catalog);
    }

    @Override
    public String getCatalog() throws SQLException {
        return pooled.getCatalog();
    }

    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        pooled.setTransactionIsolation(level);
    }

    @Override
    public int getTransactionIsolation() throws SQLException {
        return pooled.getTransactionIsolation();
    }

    @Override
    public SQLWarning getWarnings() throws SQLException {
        return pooled.getWarnings();
    }

    @Override
    public void clearWarnings() throws SQLException {
        pooled.clearWarnings();
    }

    @Override
    public Statement createStatement(int type, int concurrency) throws SQLException {
        return pooled.createStatement(type, concurrency);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency) throws SQLException {
        return pooled.prepareStatement(sql, type, concurrency);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
        return pooled.prepareCall(sql, type, concurrency);
    }

    @Override
    public Map<String, Class<?>> getTypeMap() throws SQLException {
        return pooled.getTypeMap();
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
        pooled.setTypeMap(map);
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        pooled.setHoldability(holdability);
    }

    @Override
    public int getHoldability() throws SQLException {
        return pooled.getHoldability();
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        return pooled.setSavepoint();
    }

    @Override
    public Savepoint setSavepoint(String name) throws SQLException {
        return pooled.setSavepoint(name);
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        pooled.rollback(savepoint);
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        pooled.releaseSavepoint(savepoint);
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        return pooled.createStatement(type, concurrency, holdability);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        return pooled.prepareStatement(sql, type, concurrency, holdability);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability) throws SQLException {
        return pooled.prepareCall(sql, type, concurrency, holdability);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
        return pooled.prepareStatement(sql, autoGeneratedKeys);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
        return pooled.prepareStatement(sql, columnIndexes);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
        return pooled.prepareStatement(sql, columnNames);
    }

    @Override
    public Clob createClob() throws SQLException {
        return pooled.createClob();
    }

    @Override
    public Blob createBlob() throws SQLException {
        return pooled.createBlob();
    }

    @Override
    public NClob createNClob() throws SQLException {
        return pooled.createNClob();
    }

    @Override
    public SQLXML createSQLXML() throws SQLException {
        return pooled.createSQLXML();
    }

    @Override
    public boolean isValid(int timeout) throws SQLException {
        return pooled.isValid(timeout);
    }

    @Override
    public void setClientInfo(String name, String value) throws SQLClientInfoException {
        pooled.setClientInfo(name, value);
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        pooled.setClientInfo(properties);
    }

    @Override
    public String getClientInfo(String name) throws SQLException {
        return pooled.getClientInfo(name);
    }

    @Override
    public Properties getClientInfo() throws SQLException {
        return pooled.getClientInfo();
    }

    @Override
    public Array createArrayOf(String typeName, Object[] elements) throws SQLException {
        return pooled.createArrayOf(typeName, elements);
    }

    @Override
    public Struct createStruct(String typeName, Object[] attributes) throws SQLException {
        return pooled.createStruct(typeName, attributes);
    }

    @Override
    public void setSchema(String schema) throws SQLException {
        pooled.setSchema(schema);
    }

    @Override
    public String getSchema() throws SQLException {
        return pooled.getSchema();
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        pooled.abort(executor);
    }

    @Override
    public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        pooled.setNetworkTimeout(executor, milliseconds);
    }

    @Override
    public int getNetworkTimeout() throws SQLException {
        return pooled.getNetworkTimeout();
    }
}
