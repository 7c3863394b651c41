package dev.oneengine.soak;

import dev.oneengine.testing.Database;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Generates programs: the same seed always gives the same program. Confined to its thread. */
final class Generator {
    /** The relative frequency of each kind of step. A kind that is not listed has the weight 1. */
    private static final Map<Kind, Integer> WEIGHTS = Map.ofEntries(
            Map.entry(Kind.RUN, 12),
            Map.entry(Kind.READ, 5),
            Map.entry(Kind.BEGIN_AND_COMMIT, 4),
            Map.entry(Kind.BEGIN_AND_CLOSE, 2),
            Map.entry(Kind.NESTED, 8),
            Map.entry(Kind.INDEPENDENT, 4),
            Map.entry(Kind.AFTER_COMMIT, 4),
            Map.entry(Kind.AFTER_ROLLBACK, 3),
            Map.entry(Kind.INSERT, 16),
            Map.entry(Kind.INSERT_PREPARED, 4),
            Map.entry(Kind.INSERT_IN_BATCH, 4),
            Map.entry(Kind.INSERT_BY_DATA_SOURCE, 4),
            Map.entry(Kind.INSERT_OR_ROLLBACK, 2),
            Map.entry(Kind.UPDATE, 8),
            Map.entry(Kind.DELETE, 6),
            Map.entry(Kind.INSERT_ORPHAN, 2),
            Map.entry(Kind.LOOK, 8),
            Map.entry(Kind.ADD_ONE, 8),
            Map.entry(Kind.SQL_QUERY_ONLY, 2),
            Map.entry(Kind.SAVEPOINT, 3),
            Map.entry(Kind.SAVEPOINT_AND_BACK, 3),
            Map.entry(Kind.TRY, 16),
            Map.entry(Kind.THROW_EXCEPTION, 2),
            Map.entry(Kind.THROW_RUNTIME_EXCEPTION, 2),
            Map.entry(Kind.THROW_ERROR, 2),
            Map.entry(Kind.THROW_CONFLICT, 2),
            Map.entry(Kind.SQL_CONFLICT, 2),
            Map.entry(Kind.EVICT, 2),
            Map.entry(Kind.INTERRUPTED, 2),
            Map.entry(Kind.KILL, 2));

    /**
     * The kinds of steps in a program of several threads: the model can predict their outcome whatever the other
     * threads do.
     */
    private static final Set<Kind> AMONG_OTHERS = EnumSet.of(
            Kind.RUN,
            Kind.READ,
            Kind.NESTED,
            Kind.INDEPENDENT,
            Kind.AFTER_COMMIT,
            Kind.AFTER_ROLLBACK,
            Kind.FORK,
            Kind.BEGIN_AND_COMMIT,
            Kind.BEGIN_AND_CLOSE,
            Kind.SET_ROLLBACK_ONLY,
            Kind.INSERT,
            Kind.INSERT_PREPARED,
            Kind.INSERT_IN_BATCH,
            Kind.INSERT_BY_DATA_SOURCE,
            Kind.UPDATE,
            Kind.DELETE,
            Kind.INSERT_ORPHAN,
            Kind.INSERT_ORPHAN_FOR_COMMIT,
            Kind.LOOK,
            Kind.ADD_ONE,
            Kind.SAVEPOINT,
            Kind.SAVEPOINT_AND_BACK,
            Kind.TRY,
            Kind.THROW_EXCEPTION,
            Kind.THROW_RUNTIME_EXCEPTION,
            Kind.THROW_ERROR,
            Kind.THROW_CONFLICT);

    private static final Set<Kind> TRANSACTIONS_AMONG_OTHERS = EnumSet.of(
            Kind.RUN,
            Kind.READ,
            Kind.BEGIN_AND_COMMIT,
            Kind.JDBC_AND_COMMIT,
            Kind.JDBC_AND_ROLLBACK,
            Kind.JDBC_AND_ABORT,
            Kind.JDBC_READ_ONLY,
            Kind.SPRING,
            Kind.SPRING_READ_ONLY);

    /** The kinds that also work with plain connections, without a pool that resets them. */
    private static final Set<Kind> PLAIN = EnumSet.of(
            Kind.RUN,
            Kind.READ,
            Kind.BEGIN_AND_COMMIT,
            Kind.BEGIN_AND_CLOSE,
            Kind.NESTED,
            Kind.AFTER_COMMIT,
            Kind.AFTER_ROLLBACK,
            Kind.SET_ROLLBACK_ONLY,
            Kind.CALL_COMMIT,
            Kind.CALL_ROLLBACK,
            Kind.CALL_CLOSE,
            Kind.SQL_COMMIT,
            Kind.SQL_ROLLBACK,
            Kind.SQL_QUERY_ONLY,
            Kind.INSERT,
            Kind.INSERT_PREPARED,
            Kind.INSERT_IN_BATCH,
            Kind.INSERT_BY_DATA_SOURCE,
            Kind.UPDATE,
            Kind.DELETE,
            Kind.INSERT_ORPHAN,
            Kind.WRONG_SQL,
            Kind.LOOK,
            Kind.TRY,
            Kind.THROW_EXCEPTION,
            Kind.THROW_RUNTIME_EXCEPTION,
            Kind.THROW_ERROR,
            Kind.THROW_CONFLICT);

    private static final Set<Kind> ALWAYS = EnumSet.of(Kind.RUN, Kind.READ, Kind.TRY, Kind.INSERT, Kind.LOOK);
    private static final Set<Kind> UNITS =
            EnumSet.of(Kind.RUN, Kind.BEGIN_AND_COMMIT, Kind.BEGIN_AND_CLOSE, Kind.NESTED, Kind.INDEPENDENT);
    private static final Set<Kind> OTHER_TOOLS = EnumSet.of(
            Kind.JDBC_AND_COMMIT,
            Kind.JDBC_AND_ROLLBACK,
            Kind.JDBC_AND_CLOSE,
            Kind.JDBC_IN_AUTO_COMMIT,
            Kind.JDBC_READ_ONLY,
            Kind.SPRING);
    private static final Set<Kind> COSTLY = EnumSet.of(Kind.FORK, Kind.MIGRATE, Kind.MIGRATE_AND_FAIL);
    private static final int DEPTH = 5;

    /** Consecutive seeds give different first numbers, unlike with {@link java.util.Random}. */
    private final SplittableRandom random;

    private final Database database;

    /** The first key of the current thread. */
    private int firstKey;

    /** Whether threads open transactions within transactions. */
    private boolean nests;

    private boolean sequential = true;

    /** Whether no thread can make another one fail. */
    private boolean certain;

    private boolean ample;

    /** The number of nested transactions in the current step; each has separate keys. */
    private int nested;

    private int keysOfNested;

    private Generator(Database database, long seed) {
        this.random = new SplittableRandom(seed);
        this.database = database;
    }

    static Program program(Database database, long seed) {
        return new Generator(database, seed).program();
    }

    /** Whether a step is a transaction that may run in one of several threads. */
    static boolean isTransaction(Step step) {
        return TRANSACTIONS_AMONG_OTHERS.contains(step.kind());
    }

    private Program program() {
        sequential = random.nextInt(4) > 0;
        boolean scripts = sequential && random.nextInt(5) == 0;
        boolean relaxed = random.nextInt(3) == 0;
        if (sequential) {
            int attempts = random.nextBoolean() ? 1 : 3;
            int pool = database == Database.POSTGRESQL && random.nextInt(4) == 0 ? 1 : 4;
            boolean plain = database == Database.FILE && !scripts && random.nextInt(4) == 0;
            List<Kind> kinds = plain ? weighted(some(PLAIN)) : sequentialKinds(scripts);
            List<Step> steps = steps(5 + random.nextInt(12), 0, kinds);
            return new Program(database, attempts, pool, scripts, plain, relaxed, List.of(steps), List.of());
        }
        List<List<Step>> threads = new ArrayList<>();
        List<Kind> chaos = chaos();
        int count = 2 + random.nextInt(3);
        nests = random.nextBoolean();
        boolean few = nests ? database == Database.POSTGRESQL && random.nextInt(3) == 0 : random.nextBoolean();
        int pool = few ? 2 : nests ? RealWorld.TABLES * count : 4;
        // A retry of a unit would repeat the independent transactions within it, which are already committed.
        int attempts = nests && database == Database.POSTGRESQL && !relaxed ? 1 : 20;
        Program empty = new Program(
                database, attempts, pool, false, false, relaxed, Collections.nCopies(count, List.of()), chaos);
        certain = empty.isCertain();
        ample = empty.hasAmpleConnections();
        while (threads.size() < count) {
            firstKey = threads.size() * ProgramDatabase.KEYS;
            threads.add(transactions(relaxed, chaos));
        }
        return empty.with(threads, chaos);
    }

    private List<Kind> chaos() {
        List<Kind> possible = switch (database) {
            case MEMORY -> List.of(Kind.INTERRUPTED);
            case FILE -> List.of(Kind.INTERRUPTED, Kind.EVICT);
            case POSTGRESQL -> List.of(Kind.INTERRUPTED, Kind.EVICT, Kind.KILL);
        };
        return random.nextBoolean()
                ? List.of()
                : Collections.nCopies(1 + random.nextInt(3), possible.get(random.nextInt(possible.size())));
    }

    private List<Kind> sequentialKinds(boolean scripts) {
        Set<Kind> kinds = EnumSet.allOf(Kind.class);
        if (database == Database.POSTGRESQL) {
            kinds.remove(Kind.INSERT_OR_ROLLBACK);
            kinds.remove(Kind.SQL_QUERY_ONLY);
        } else {
            kinds.remove(Kind.KILL);
        }
        kinds.remove(Kind.ADD_ONE);
        if (!scripts) {
            kinds.remove(Kind.MIGRATE);
            kinds.remove(Kind.MIGRATE_AND_FAIL);
        }
        if (database == Database.POSTGRESQL ? random.nextInt(10) > 0 : random.nextInt(3) > 0) {
            kinds.remove(Kind.FORK); // slow
        }
        return weighted(some(kinds));
    }

    /**
     * Picks about half of the kinds at random. A program with few kinds has many steps of each, and over many programs
     * every kind meets every other.
     */
    private Set<Kind> some(Set<Kind> kinds) {
        Set<Kind> some = EnumSet.copyOf(kinds);
        some.removeIf(kind -> !ALWAYS.contains(kind) && random.nextBoolean());
        return some;
    }

    private static List<Kind> weighted(Set<Kind> kinds) {
        return kinds.stream()
                .flatMap(kind -> Collections.nCopies(WEIGHTS.getOrDefault(kind, 1), kind).stream())
                .toList();
    }

    /**
     * Generates the steps of one of several threads: successive transactions, which in some programs contain further
     * ones.
     */
    private List<Step> transactions(boolean relaxed, List<Kind> chaos) {
        List<Kind> outer = weighted(TRANSACTIONS_AMONG_OTHERS);
        List<Step> steps = new ArrayList<>();
        for (int i = 4 + random.nextInt(7); i > 0; i--) {
            Kind kind = outer.get(random.nextInt(outer.size()));
            Set<Kind> inner = EnumSet.copyOf(AMONG_OTHERS);
            boolean unit = kind == Kind.RUN || kind == Kind.READ || kind == Kind.BEGIN_AND_COMMIT;
            if (database == Database.POSTGRESQL && (relaxed || !unit)) {
                inner.remove(Kind.ADD_ONE); // at READ COMMITTED, other transactions may overwrite the number
            }
            if (!unit) {
                // A unit within another tool's transaction would wait for that transaction for ever.
                inner.removeAll(EnumSet.of(Kind.RUN, Kind.READ, Kind.BEGIN_AND_COMMIT, Kind.BEGIN_AND_CLOSE));
            }
            if ((database == Database.POSTGRESQL && !relaxed) || (!unit && !chaos.isEmpty())) {
                inner.remove(Kind.TRY); // the swallowed failure may come from another thread
            }
            if (nests && !ample) {
                inner.remove(Kind.ADD_ONE); // a thread that waits for the row may hold the connection that its owner
                // waits for
            }
            if (!nests) {
                inner.removeAll(EnumSet.of(Kind.INDEPENDENT, Kind.FORK));
            } else if (!certain) {
                inner.remove(Kind.TRY);
            }
            if (!chaos.isEmpty() || (database == Database.POSTGRESQL && random.nextInt(10) > 0)) {
                inner.remove(Kind.FORK);
            }
            nested = 0;
            keysOfNested = 0;
            steps.add(new Step(kind, 0, steps(1 + random.nextInt(5), 1, weighted(inner))));
        }
        return steps;
    }

    private List<Step> steps(int count, int depth, List<Kind> kinds) {
        List<Step> steps = new ArrayList<>();
        while (steps.size() < count) {
            Kind kind = kinds.get(random.nextInt(kinds.size()));
            boolean fits = depth > 0 ? !(COSTLY.contains(kind) && random.nextInt(3) > 0) : !kind.needsConnection();
            if (fits && !(kind.isBlock() && depth >= DEPTH)) {
                steps.add(new Step(kind, number(kind), kind.isBlock() ? body(kind, depth + 1, kinds) : List.of()));
            }
        }
        return steps;
    }

    /**
     * Generates the steps of a block. Many units begin with hooks that record how the unit ends, and many end with a
     * failure.
     */
    private List<Step> body(Kind kind, int depth, List<Kind> kinds) {
        if (sequential || !(kind.isHook() || kind == Kind.INDEPENDENT || kind == Kind.FORK)) {
            return bodyOf(kind, depth, kinds);
        }
        if (nested == 8 || (kind.isHook() && (!nests || (!certain && kind == Kind.AFTER_ROLLBACK)))) {
            return List.of();
        }
        Set<Kind> within = EnumSet.copyOf(kinds);
        if (kind != Kind.INDEPENDENT) {
            within.addAll(TRANSACTIONS_AMONG_OTHERS);
        }
        within.remove(Kind.ADD_ONE); // it would write to a row of the outermost transaction
        within.remove(Kind.FORK);
        int outer = keysOfNested;
        keysOfNested = 10 * ++nested;
        List<Step> steps = bodyOf(kind, depth, weighted(within));
        keysOfNested = outer;
        return steps;
    }

    private List<Step> bodyOf(Kind kind, int depth, List<Kind> kinds) {
        List<Step> steps = new ArrayList<>();
        if (OTHER_TOOLS.contains(kind) && kinds.contains(Kind.SQL_QUERY_ONLY) && random.nextInt(3) == 0) {
            steps.add(new Step(Kind.SQL_QUERY_ONLY, 0, List.of()));
        }
        if (UNITS.contains(kind) && random.nextInt(3) == 0) {
            steps.add(new Step(Kind.INSERT, number(Kind.INSERT), List.of()));
            if (kinds.contains(Kind.AFTER_COMMIT)) {
                steps.add(new Step(Kind.AFTER_COMMIT, 0, List.of()));
            }
            if (kinds.contains(Kind.AFTER_ROLLBACK)) {
                steps.add(new Step(Kind.AFTER_ROLLBACK, 0, List.of()));
            }
        }
        steps.addAll(steps(random.nextInt(5), depth, kinds));
        if (kinds.contains(Kind.THROW_EXCEPTION) && random.nextInt(6) == 0) {
            steps.add(new Step(Kind.THROW_EXCEPTION, 0, List.of()));
        }
        return steps;
    }

    private int number(Kind kind) {
        return switch (kind) {
            case INSERT,
                    INSERT_PREPARED,
                    INSERT_IN_BATCH,
                    INSERT_BY_DATA_SOURCE,
                    INSERT_OR_ROLLBACK,
                    UPDATE,
                    DELETE,
                    INSERT_ORPHAN,
                    INSERT_ORPHAN_FOR_COMMIT -> firstKey + keysOfNested + 1 + random.nextInt(4);
            case THROW_CONFLICT, SQL_CONFLICT, FAIL_TO_OPEN, FAIL_TO_PREPARE -> 1 + random.nextInt(3);
            case MIGRATE, MIGRATE_AND_FAIL -> 1 + random.nextInt(4);
            case ADD_ONE -> firstKey + ProgramDatabase.SUM;
            default -> 0;
        };
    }
}
