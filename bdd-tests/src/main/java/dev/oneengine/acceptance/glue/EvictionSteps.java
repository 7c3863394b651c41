package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertThat;

import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.Identity;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Steps in which engines are evicted over and over. Confined to the thread of the scenario. */
public final class EvictionSteps {
    private final Databases databases;
    private final Caches caches;
    private final Crew crew;

    /** The number of the eviction that closed each engine, from 1. */
    private final Map<Identity, Integer> closedAt = new ConcurrentHashMap<>();

    private final AtomicInteger evictions = new AtomicInteger();
    private final List<String> wrong = new CopyOnWriteArrayList<>();

    public EvictionSteps(World world) {
        databases = world.databases();
        caches = world.caches();
        crew = world.crew();
    }

    @When("{int} threads keep asking for the engine of {string} while another thread evicts the engine {int} times")
    public void askWhileEvicted(int threads, String database, int times) {
        CacheUnderTest cache = caches.first();
        String url = databases.get(database).url();
        AtomicBoolean over = new AtomicBoolean();
        List<Worker<Boolean>> workers = crew.race(threads + 1, all -> {}, i -> {
            if (i > 0) {
                ask(cache, url, over);
                return true;
            }
            try {
                evict(cache, url, times);
            } finally {
                over.set(true);
            }
            return true;
        });
        workers.forEach(Worker::result);
    }

    private void evict(CacheUnderTest cache, String url, int times) throws Exception {
        for (int i = 1; i <= times; i++) {
            Identity engine = EngineSeen.engine(cache.engine(url)).identity();
            cache.evict(url);
            closedAt.put(engine, i);
            evictions.set(i);
        }
    }

    /** Asks for the engine until all evictions are over, and then once more. */
    private void ask(CacheUnderTest cache, String url, AtomicBoolean over) throws Exception {
        boolean last;
        EngineSeen found = EngineSeen.engine(cache.engine(url));
        do {
            last = over.get();
            int before = evictions.get();
            boolean seenClosed = found.get().isClosed();
            EngineSeen next = EngineSeen.engine(cache.engine(url));
            int closed = closedAt.getOrDefault(next.identity(), Integer.MAX_VALUE);
            if (closed <= before || (seenClosed && next.identity().equals(found.identity()))) {
                wrong.add("an engine that was closed, after eviction " + before);
            }
            found = next;
        } while (!last);
    }

    @Then("no thread has got an engine that was closed before the call")
    public void noneWasClosed() {
        assertThat(wrong).isEmpty();
    }
}
