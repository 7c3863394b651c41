package dev.oneengine.soak;

import dev.oneengine.soak.World.Scope;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the steps of one thread in a world, and logs the outcome of each. Confined to its thread. */
final class Interpreter {
    private final World world;
    private final IdentityHashMap<Step, Integer> numbers;
    private final List<String> log = new ArrayList<>();

    /** The number of failures so far of each step that fails only a few times. */
    private final IdentityHashMap<Step, Integer> failures = new IdentityHashMap<>();

    Interpreter(World world, IdentityHashMap<Step, Integer> numbers) {
        this.world = world;
        this.numbers = numbers;
    }

    /** Returns the outcomes of the steps so far, one line each. */
    List<String> log() {
        return log;
    }

    /** Runs one step outside all transactions, and logs its failure. */
    void runOutside(Step step) {
        try {
            run(step, world.outside());
        } catch (Throwable t) {
            Undefined.letThrough(t);
        }
    }

    private void run(List<Step> steps, Scope scope) throws Throwable {
        for (Step step : steps) {
            run(step, scope);
        }
    }

    private void run(Step step, Scope scope) throws Throwable {
        String name = numbers.get(step) + " " + step.kind() + ": ";
        Kind kind = step.kind();
        if ((kind.needsConnection() && !scope.isConnected()) || (kind.needsUnit() && !scope.isUnit())) {
            return;
        }
        try {
            String found = execute(step, scope);
            log.add(name + (found == null ? "ok" : found));
        } catch (Throwable t) {
            Undefined.letThrough(t);
            log.add(name + world.describe(t));
            throw t;
        }
    }

    private @Nullable String execute(Step step, Scope scope) throws Throwable {
        switch (step.kind()) {
            case TRY -> {
                try {
                    run(step.body(), scope);
                } catch (Throwable t) {
                    Undefined.letThrough(t);
                    return "swallowed " + world.describe(t);
                }
            }
            case THROW_EXCEPTION, THROW_RUNTIME_EXCEPTION, THROW_ERROR ->
                throw Planned.of(step.kind(), numbers.get(step));
            case THROW_CONFLICT -> {
                if (fails(step)) {
                    throw Planned.of(step.kind(), numbers.get(step));
                }
            }
            case SQL_CONFLICT -> {
                if (fails(step)) {
                    scope.leaf(step);
                }
            }
            case AFTER_COMMIT, AFTER_ROLLBACK ->
                scope.block(step, inner -> {
                    log.add(numbers.get(step) + " " + step.kind() + " runs");
                    run(step.body(), inner);
                });
            default -> {
                if (!step.kind().isBlock()) {
                    return scope.leaf(step);
                }
                scope.block(step, inner -> run(step.body(), inner));
            }
        }
        return null;
    }

    private boolean fails(Step step) {
        return failures.merge(step, 1, Integer::sum) <= step.number();
    }
}
