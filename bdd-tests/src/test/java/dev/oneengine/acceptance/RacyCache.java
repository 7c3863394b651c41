package dev.oneengine.acceptance;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The cache of the bug reports #7566 and #3950: check, create, write, read, and no lock. Each of these is one step, as it is on
 * a dict in Python, but all of them together are not.
 */
final class RacyCache extends HandMadeCache {
    private final Map<String, HandMadeEngine> engines = new ConcurrentHashMap<>();

    RacyCache(Creation creation) {
        super(creation, HandMadeDatabases::open);
    }

    @Override
    public HandMadeEngine engine(String url) throws Exception {
        if (!engines.containsKey(url)) {
            engines.put(url, create(url));
        }
        return engines.get(url);
    }
}
