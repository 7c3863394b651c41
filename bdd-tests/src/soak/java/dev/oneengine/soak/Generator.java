package dev.oneengine.soak;

import dev.oneengine.testing.Database;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Makes programs: always the same one from the same seed. For one thread. */
final class Generator {
    /** How often each kind of step comes, in relation to others. What is not mentioned comes once. */
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

    /** What a program of several threads has: what a thread does is known whatever the others do. */
    private static final Set<Kind> AMONG_OTHERS = EnumSet.of(
            Kind.RUN,
            Kind.READ,
            Kind.NESTED,
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

    private static final Set<Kind> ALWAYS = EnumSet.of(Kind.RUN, Kind.TRY, Kind.INSERT, Kind.LOOK);
    private static final Set<Kind> UNITS =
            EnumSet.of(Kind.RUN, Kind.BEGIN_AND_COMMIT, Kind.BEGIN_AND_CLOSE, Kind.NESTED, Kind.INDEPENDENT);
    private static final Set<Kind> COSTLY = EnumSet.of(Kind.FORK, Kind.MIGRATE, Kind.MIGRATE_AND_FAIL);
    private static final int DEPTH = 5;

    private final Random random;
    private final Database database;

    /** Which keys the current thread has. */
    private int firstKey;

    private Generator(Database database, long seed) {
        this.random = new Random(seed);
        this.database = database;
    }

    static Program program(Database database, long seed) {
        return new Generator(database, seed).program();
    }

    /** Whether a step is one that threads do beside others. */
    static boolean isTransaction(Step step) {
        return TRANSACTIONS_AMONG_OTHERS.contains(step.kind());
    }

    private Program program() {
        boolean sequential = random.nextInt(4) > 0;
        boolean scripts = sequential && random.nextInt(5) == 0;
        boolean relaxed = random.nextInt(3) == 0;
        if (sequential) {
            int attempts = random.nextBoolean() ? 1 : 3;
            int pool = database == Database.POSTGRESQL && random.nextInt(4) == 0 ? 1 : 4;
            List<Step> steps = steps(5 + random.nextInt(12), 0, sequentialKinds(scripts));
            return new Program(database, attempts, pool, scripts, relaxed, List.of(steps), List.of());
        }
        List<List<Step>> threads = new ArrayList<>();
        List<Kind> chaos = chaos();
        for (int i = 2 + random.nextInt(3); i > 0; i--) {
            firstKey = threads.size() * Site.KEYS;
            threads.add(transactions(relaxed, chaos));
        }
        int pool = random.nextBoolean() ? 2 : 4;
        return new Program(database, 20, pool, false, relaxed, threads, chaos);
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
        } else {
            kinds.remove(Kind.KILL);
        }
        kinds.remove(Kind.ADD_ONE);
        if (!scripts) {
            kinds.remove(Kind.MIGRATE);
            kinds.remove(Kind.MIGRATE_AND_FAIL);
        }
        if (database == Database.POSTGRESQL ? random.nextInt(10) > 0 : random.nextInt(3) > 0) {
            kinds.remove(Kind.FORK); // takes long
        }
        return weighted(some(kinds));
    }

    /** About half of the kinds: each has more chances among few, and with all others in some program. */
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

    /** The steps of one of several threads: transactions one after the other, without any in them. */
    private List<Step> transactions(boolean relaxed, List<Kind> chaos) {
        List<Kind> outer = weighted(TRANSACTIONS_AMONG_OTHERS);
        List<Step> steps = new ArrayList<>();
        for (int i = 4 + random.nextInt(7); i > 0; i--) {
            Kind kind = outer.get(random.nextInt(outer.size()));
            Set<Kind> inner = EnumSet.copyOf(AMONG_OTHERS);
            boolean unit = kind == Kind.RUN || kind == Kind.READ || kind == Kind.BEGIN_AND_COMMIT;
            if (database == Database.POSTGRESQL && (relaxed || !unit)) {
                inner.remove(Kind.ADD_ONE); // at READ COMMITTED others may overwrite it
            }
            if (!unit) {
                // Another transaction within it would wait for it.
                inner.removeAll(EnumSet.of(Kind.RUN, Kind.READ, Kind.BEGIN_AND_COMMIT, Kind.BEGIN_AND_CLOSE));
            }
            if ((database == Database.POSTGRESQL && !relaxed) || (!unit && !chaos.isEmpty())) {
                inner.remove(Kind.TRY); // what it swallows may come from the others
            }
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

    /** The steps of a block. Many units begin with what tells how they end, and many end with a failure. */
    private List<Step> body(Kind kind, int depth, List<Kind> kinds) {
        List<Step> steps = new ArrayList<>();
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
                    INSERT_ORPHAN_FOR_COMMIT -> firstKey + 1 + random.nextInt(4);
            case THROW_CONFLICT, SQL_CONFLICT, FAIL_TO_OPEN, FAIL_TO_PREPARE -> 1 + random.nextInt(3);
            case MIGRATE, MIGRATE_AND_FAIL -> 1 + random.nextInt(4);
            case ADD_ONE -> firstKey + Site.SUM;
            default -> 0;
        };
    }
}
