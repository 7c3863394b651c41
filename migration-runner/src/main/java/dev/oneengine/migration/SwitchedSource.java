package dev.oneengine.migration;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A source that one Flyway reads with first and migrates with then, as setting Flyway up takes longer than a small run. For one thread. */
final class SwitchedSource extends ConnectionSource {
    private DataSource source;

    SwitchedSource(DataSource source) {
        this.source = source;
    }

    void use(DataSource other) {
        source = other;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return source.getConnection();
    }
}
