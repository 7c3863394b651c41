package dev.oneengine.cache;

import java.util.Map;
import java.util.Objects;

/**
 * The cache of the bug reports #7566 and #3950, line by line: check, create, write, read, and no lock around them.
 *
 * <p>Not thread-safe, whatever its map is: each of the four steps may be, but all four together are not.
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

    /** What the cache is about: here an engine holds no database, only the number that tells it from others. */
    record Engine(int number) {}

    /** Makes engines. Not thread-safe either, which does no harm: the model checker runs one thread at a time. */
    static final class Factory {
        private int created;

        Engine create(String url) {
            return new Engine(++created);
        }
    }
}
