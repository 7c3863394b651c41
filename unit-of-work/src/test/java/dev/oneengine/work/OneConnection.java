package dev.oneengine.work;

import dev.oneengine.cache.EngineSource;
import dev.oneengine.testing.Proxies;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A source that always lends the same connection. Unlike a pool, it restores nothing. Not thread-safe. */
final class OneConnection implements EngineSource {
    private static final Set<String> RECORDED =
            Set.of("setAutoCommit", "setReadOnly", "setTransactionIsolation", "commit", "rollback");

    final List<String> calls = new ArrayList<>();
    private final Connection connection;
    private final DataSource dataSource;
    private @Nullable SQLException commitFailure;

    OneConnection(Connection connection) {
        this.connection = connection;
        Connection reused = proxy(Connection.class, connection);
        this.dataSource = Proxies.of(
                DataSource.class, (self, method, args) -> method.getName().equals("getConnection") ? reused : null);
    }

    private <T> T proxy(Class<T> type, T target) {
        return Proxies.of(type, (self, method, args) -> {
            String name = method.getName();
            if (RECORDED.contains(name)) {
                calls.add(args == null ? name : name + " " + args[0]);
            }
            if (name.equals("commit") && commitFailure != null) {
                throw commitFailure;
            }
            if (name.equals("close")) {
                return null;
            }
            return method.invoke(target, args);
        });
    }

    void failCommits(SQLException failure) {
        commitFailure = failure;
    }

    @Override
    public DataSource dataSource() {
        return dataSource;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
