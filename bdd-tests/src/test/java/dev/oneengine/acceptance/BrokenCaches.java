package dev.oneengine.acceptance;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Caches with one defect each, on real databases. As thread-safe as their defects allow. */
final class BrokenCaches {
    private BrokenCaches() {}

    /** Holds threads so that a possible race always occurs. */
    private static final class Window {
        static void keepOpenUntil(Callable<Boolean> condition) {
            await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(condition);
        }
    }

    private static boolean hasFailed(FutureTask<HandMadeEngine> engine) {
        try {
            engine.get();
            return false;
        } catch (ExecutionException e) {
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Locks by URL. */
    private static final class Locks {
        private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

        ReentrantLock of(String url) {
            return locks.computeIfAbsent(url, any -> new ReentrantLock());
        }
    }

    /** Releases the lock before it reads the engine back. A thread that waited for the lock may evict the engine in between. */
    static final class LockReleasedBeforeReadingBack extends HandMadeCache {
        private final Map<String, HandMadeEngine> engines = new ConcurrentHashMap<>();
        private final Locks locks = new Locks();

        LockReleasedBeforeReadingBack(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            ReentrantLock lock = locks.of(url);
            lock.lock();
            try {
                if (engines.containsKey(url)) {
                    return engines.get(url);
                }
                engines.put(url, create(url));
            } finally {
                lock.unlock();
            }
            // The thread stays in the window of this defect until all threads that wait for the lock have held it.
            Window.keepOpenUntil(() -> !lock.hasQueuedThreads() && !lock.isLocked());
            return engines.get(url);
        }

        @Override
        public void evict(String url) throws Exception {
            ReentrantLock lock = locks.of(url);
            lock.lock();
            try {
                HandMadeEngine engine = engines.remove(url);
                if (engine != null) {
                    engine.close();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Holds a lock during the write only. */
    static final class LockAroundTheWriteOnly extends HandMadeCache {
        private final Map<String, HandMadeEngine> engines = new ConcurrentHashMap<>();
        private final Object lock = new Object();

        LockAroundTheWriteOnly(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            if (!engines.containsKey(url)) {
                HandMadeEngine engine = create(url);
                synchronized (lock) {
                    engines.put(url, engine);
                }
            }
            return engines.get(url);
        }
    }

    /** Has one dictionary and two locks: one for units of work, one for migration runners. */
    static final class LockPerConsumer extends HandMadeCache {
        private final Map<String, HandMadeEngine> engines = new ConcurrentHashMap<>();
        private final Locks locksOfUnits = new Locks();
        private final Locks locksOfRunners = new Locks();

        LockPerConsumer(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            return engine(url, locksOfUnits);
        }

        @Override
        HandMadeEngine engineOfRunner(String url) throws Exception {
            return engine(url, locksOfRunners);
        }

        private HandMadeEngine engine(String url, Locks locks) throws Exception {
            ReentrantLock lock = locks.of(url);
            lock.lock();
            try {
                if (!engines.containsKey(url)) {
                    engines.put(url, create(url));
                }
                return engines.get(url);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Caches a failed creation. */
    static final class FailureCached extends RightCache {
        FailureCached(Creation creation) {
            super(creation);
        }

        @Override
        boolean forget(String url, FutureTask<HandMadeEngine> engine) {
            return hasFailed(engine) || super.forget(url, engine);
        }
    }

    /** Keeps the migrated flag in each unit of work, while all units share the engine. */
    static final class MigratedFlagPerUnit extends RightCache {
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger checked = new AtomicInteger();

        MigratedFlagPerUnit(Creation creation) {
            super(creation);
        }

        @Override
        public WorkUnderTest work(String url, Path scripts) {
            // The flag of one unit: the unit migrates the engine when it gets it.
            return new HandMadeWork(
                    () -> {
                        begun.incrementAndGet();
                        return engine(url);
                    },
                    engine -> migrate(engine, new Scripts(scripts)));
        }

        private void migrate(HandMadeEngine engine, Scripts scripts) throws Exception {
            List<String> pending = scripts.pending(engine);
            checked.incrementAndGet();
            // The thread stays in the window of this defect until all started units have checked the flag.
            Window.keepOpenUntil(() -> checked.get() == begun.get());
            scripts.run(engine, pending);
        }
    }

    /** One lock for all URLs, as in a simple fix of the bug reports. */
    static final class OneLockForAllUrls extends HandMadeCache {
        private final Map<String, HandMadeEngine> engines = new ConcurrentHashMap<>();
        private final Object lock = new Object();

        OneLockForAllUrls(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            synchronized (lock) {
                if (!engines.containsKey(url)) {
                    engines.put(url, create(url));
                }
                return engines.get(url);
            }
        }
    }

    /** Uses itself as the lock, which any other code can hold, too. */
    static final class PublicMonitor extends HandMadeCache {
        private final Map<String, HandMadeEngine> engines = new ConcurrentHashMap<>();

        PublicMonitor(Creation creation) {
            super(creation, HandMadeDatabases::open);
        }

        @Override
        public synchronized HandMadeEngine engine(String url) throws Exception {
            if (!engines.containsKey(url)) {
                engines.put(url, create(url));
            }
            return engines.get(url);
        }
    }

    /** Correct engines with other units of work. */
    static final class WithUnits extends RightCache {
        private final Function<HandMadeWork.Source, WorkUnderTest> units;

        WithUnits(Creation creation, Function<HandMadeWork.Source, WorkUnderTest> units) {
            super(creation);
            this.units = units;
        }

        @Override
        public WorkUnderTest work(String url) {
            return units.apply(() -> engine(url));
        }
    }

    /** Correct engines with other migration runners. */
    static final class WithRunners extends RightCache {
        private final BiFunction<HandMadeWork.Source, Scripts, MigrationsUnderTest> runners;

        WithRunners(Creation creation, BiFunction<HandMadeWork.Source, Scripts, MigrationsUnderTest> runners) {
            super(creation);
            this.runners = runners;
        }

        @Override
        public MigrationsUnderTest migrations(String url, Path scripts) {
            return runners.apply(() -> engine(url), new Scripts(scripts));
        }
    }

    /** Quotes the URL, with its password, in failures. */
    static final class PasswordShown extends RightCache {
        PasswordShown(Creation creation) {
            super(creation);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            if (!isKnown(url)) {
                throw new IllegalArgumentException("There is no engine for the URL " + url);
            }
            return super.engine(url);
        }
    }

    /** Names no URL in its failures. */
    static final class SilentFailures extends RightCache {
        SilentFailures(Creation creation) {
            super(creation);
        }

        @Override
        public HandMadeEngine engine(String url) throws Exception {
            if (!isKnown(url)) {
                throw new IllegalArgumentException("Bad address");
            }
            return super.engine(url);
        }
    }

    private static boolean isKnown(String url) {
        return url.startsWith("jdbc:sqlite:file:") || url.equals("sqlite:///:memory:");
    }
}
