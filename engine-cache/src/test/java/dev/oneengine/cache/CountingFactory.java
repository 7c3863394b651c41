package dev.oneengine.cache;

import dev.oneengine.testing.TestSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.sqlite.SQLiteDataSource;

/** Opens engines without connections, and counts them. Thread-safe. */
final class CountingFactory implements EngineFactory {
    private final AtomicInteger created = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final Map<DatabaseUrl, Integer> open = new ConcurrentHashMap<>();
    private final List<String> tooMany = Collections.synchronizedList(new ArrayList<>());

    @Override
    public EngineSource open(DatabaseUrl url, EngineSettings settings) {
        created.incrementAndGet();
        if (open.merge(url, 1, Integer::sum) > 1) {
            tooMany.add("more than one engine was open for " + url);
        }
        return new TestSource(new SQLiteDataSource(), () -> {
            closed.incrementAndGet();
            if (open.merge(url, -1, Integer::sum) < 0) {
                tooMany.add("an engine was closed twice for " + url);
            }
        });
    }

    int created() {
        return created.get();
    }

    int open() {
        return created.get() - closed.get();
    }

    /** The violations: two engines open for one URL at a time, or an engine closed twice. */
    List<String> violations() {
        return tooMany;
    }
}
