package dev.oneengine.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes a failing program as small as possible while it still fails. Confined to its thread. */
final class Shrinker {
    private final Predicate<Program> fails;
    private final long deadline;

    private Shrinker(Predicate<Program> fails, long deadline) {
        this.fails = fails;
        this.deadline = deadline;
    }

    /**
     * Removes steps, or replaces blocks by the steps within them, until every smaller program succeeds.
     *
     * @param deadline the latest time to stop, a value of {@link System#nanoTime}
     */
    static Program shrink(Program program, Predicate<Program> fails, long deadline) {
        Shrinker shrinker = new Shrinker(fails, deadline);
        Program smallest = program;
        while (true) {
            Program smaller = shrinker.step(smallest);
            if (smaller.equals(smallest)) {
                return smallest;
            }
            smallest = smaller;
        }
    }

    /** Returns the first smaller program that fails, or the same program if there is none. */
    private Program step(Program program) {
        for (Program smaller : candidates(program)) {
            if (System.nanoTime() > deadline) {
                return program;
            }
            if (fails.test(smaller)) {
                return smaller;
            }
        }
        return program;
    }

    private static List<Program> candidates(Program program) {
        List<Program> candidates = new ArrayList<>();
        for (List<Kind> chaos : shorter(program.chaos())) {
            candidates.add(program.with(program.threads(), chaos));
        }
        for (int i = 0; i < program.threads().size(); i++) {
            for (List<Step> smaller : smaller(program.threads().get(i))) {
                // The outermost steps of concurrent threads must stay transactions, because the model can predict no
                // others.
                if (program.isSequential() || smaller.stream().allMatch(Generator::isTransaction)) {
                    List<List<Step>> others = new ArrayList<>(program.threads());
                    others.set(i, smaller);
                    candidates.add(program.with(others, program.chaos()));
                }
            }
        }
        return candidates;
    }

    private static <T> List<List<T>> shorter(List<T> list) {
        List<List<T>> shorter = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            List<T> rest = new ArrayList<>(list);
            rest.remove(i);
            shorter.add(rest);
        }
        return shorter;
    }

    /** Tries the last half first, because steps after the failure do not matter. */
    private static List<List<Step>> smaller(List<Step> steps) {
        List<List<Step>> smaller = new ArrayList<>();
        if (steps.size() > 3) {
            smaller.add(List.of());
            smaller.add(steps.subList(0, steps.size() / 2));
            smaller.add(steps.subList(steps.size() / 2, steps.size()));
        }
        smaller.addAll(shorter(steps));
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            List<List<Step>> replacements = new ArrayList<>();
            if (step.kind().isBlock()) {
                replacements.add(step.body());
                smaller(step.body()).forEach(body -> replacements.add(List.of(step.with(body))));
            }
            if (step.kind() == Kind.THROW_CONFLICT && step.number() > 1) {
                replacements.add(List.of(new Step(step.kind(), 1, List.of())));
            }
            for (List<Step> replacement : replacements) {
                List<Step> changed = new ArrayList<>(steps.subList(0, i));
                changed.addAll(replacement);
                changed.addAll(steps.subList(i + 1, steps.size()));
                smaller.add(changed);
            }
        }
        return smaller;
    }
}
