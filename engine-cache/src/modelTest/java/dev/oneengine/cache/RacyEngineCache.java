package dev.oneengine.cache;

import java.util.Map;
import java.util.Objects;

/**
 * The cache of the bug reports #7566 and #3950, line by line: check, create, write, read, without a lock around them.
 *
 * <p>Not thread-safe with any map: the map can make each step atomic, but not all four together.
 */
final class RacyEngineCache {
    private final Map<String, Engine> map;
    private final Factory factory = new Factory();

    RacyEngineCache(Map<String, Engine> map) {
        this.map = map;
    }

    Engine engine(String url) {
        if (!map.containsKey(url)) {
            map.put(url, factory.create(url));
        }
        return Objects.requireNonNull(map.get(url));
    }

    /** A fake engine: it has no database, only a number that distinguishes it from others. */
    record Engine(int number) {}

    /** Makes engines. Needs no lock, because the model checker runs one thread at a time. */
    static final class Factory {
        private int created;

        Engine create(String url) {
            return new Engine(++created);
        }
    }
}
