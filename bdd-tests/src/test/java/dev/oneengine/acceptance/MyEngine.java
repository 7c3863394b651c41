package dev.oneengine.acceptance;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.UUID;

/** A user's engine, which does not depend on the kit. Thread-safe. */
record MyEngine(HikariDataSource dataSource) {
    /** Opens a database in memory. */
    static MyEngine open() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite:file:/" + UUID.randomUUID() + "?vfs=memdb&transaction_mode=IMMEDIATE");
        config.setMinimumIdle(1);
        return new MyEngine(new HikariDataSource(config));
    }

    void close() {
        dataSource.close();
    }
}
