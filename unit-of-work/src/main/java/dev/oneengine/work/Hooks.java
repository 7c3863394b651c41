package dev.oneengine.work;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to run after the end of a unit of work. For one thread. */
final class Hooks {
    private final List<Hook> hooks = new ArrayList<>(0);

    private static final class Hook {
        private final Runnable action;

        /** What the unit must have come to; for work that was rolled back to a savepoint, both will do. */
        private final boolean ofCommit;

        private boolean always;

        Hook(Runnable action, boolean ofCommit) {
            this.action = action;
            this.ofCommit = ofCommit;
        }
    }

    void add(Runnable action, boolean ofCommit) {
        hooks.add(new Hook(action, ofCommit));
    }

    int size() {
        return hooks.size();
    }

    /** Everything since a savepoint was rolled back: that work will not be committed, whatever becomes of the unit. */
    void rolledBackTo(int size) {
        List<Hook> since = hooks.subList(size, hooks.size());
        since.removeIf(hook -> hook.ofCommit);
        since.forEach(hook -> hook.always = true);
    }

    /**
     * Runs the hooks that fit, in the order in which they were added.
     *
     * @return the first failure, with the others suppressed in it
     */
    @Nullable Throwable run(boolean committed) {
        Throwable failure = null;
        for (Hook hook : hooks) {
            if (hook.always || hook.ofCommit == committed) {
                try {
                    hook.action.run();
                } catch (Throwable t) {
                    if (failure == null) {
                        failure = t;
                    } else {
                        Throwables.suppress(failure, t);
                    }
                }
            }
        }
        return failure;
    }
}
