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

/** Caches with one defect each, all on real databases. They are as thread-safe as their defects allow. */
final class BrokenCaches {
    private BrokenCaches() {}

    /** What makes a race that is possible certain. */
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

    /** Reads the engine back when it has let go of the lock: whoever has waited for it may evict the engine before. */
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
            // The window of this defect, kept open until those who wait for the lock have had it.
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

    /** Locks just the write, which needs it least. */
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

    /** Has one dictionary, but one lock for units of work and another one for migration runners. */
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

    /** Remembers an attempt that has failed. */
    static final class FailureCached extends RightCache {
        FailureCached(Creation creation) {
            super(creation);
        }

        @Override
        boolean forget(String url, FutureTask<HandMadeEngine> engine) {
            return hasFailed(engine) || super.forget(url, engine);
        }
    }

    /** Each unit of work knows whether it has migrated, but the engine belongs to all of them. */
    static final class MigratedFlagPerUnit extends RightCache {
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger checked = new AtomicInteger();

        MigratedFlagPerUnit(Creation creation) {
            super(creation);
        }

        @Override
        public WorkUnderTest work(String url, Path scripts) {
            // That it has an engine at all is the flag of a unit: it is prepared when it takes it.
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
            // The window of this defect, kept open until all units that have begun have looked as well.
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

    /** Uses itself as the lock, which anybody else can do as well. */
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

    /** Its engines are right, its units of work are not. */
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

    /** Its engines are right, its migration runners are not. */
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

    /** Says what it was asked for, word for word. */
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

    /** Says nothing about the URL. */
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
