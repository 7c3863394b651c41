package dev.oneengine.cache;

import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** Opens engines without connections, and counts them. Thread-safe. */
final class CountedFactory implements EngineFactory {
    static final String URL = "jdbc:sqlite:file:a?mode=memory";

    private static final DataSource NOTHING = new SQLiteDataSource();

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger worst = new AtomicInteger();

    @Override
    public EngineSource open(DatabaseUrl url, EngineSettings settings) {
        worst.accumulateAndGet(open.incrementAndGet(), Math::max);
        return new EngineSource() {
            @Override
            public DataSource dataSource() {
                return NOTHING;
            }

            @Override
            public void close() {
                open.decrementAndGet();
            }
        };
    }

    EngineCache cache() {
        return EngineCache.create(this, EngineSettings.defaults());
    }

    int open() {
        return open.get();
    }

    /** The largest number of engines that were open at the same time. */
    int worst() {
        return worst.get();
    }
}
