package dev.oneengine.acceptance;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The cache of bug reports 7566 and 3950: check, create, write and read without a lock. Each step is atomic, as on a dict in
 * Python, but the four together are not.
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
