package dev.oneengine.work;

import dev.oneengine.cache.internal.Throwables;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The hooks that run after the end of a unit of work. Confined to the unit's thread. */
final class TransactionHooks {
    private final List<Hook> hooks = new ArrayList<>(0);

    private static final class Hook {
        private final Runnable action;
        private final boolean afterCommit;

        /** Whether the hook runs both after a commit and after a rollback, because its own work was rolled back to a savepoint. */
        private boolean always;

        Hook(Runnable action, boolean afterCommit) {
            this.action = action;
            this.afterCommit = afterCommit;
        }
    }

    void add(Runnable action, boolean afterCommit) {
        hooks.add(new Hook(action, afterCommit));
    }

    int size() {
        return hooks.size();
    }

    /** Drops the commit hooks that were added since a savepoint: the unit no longer commits their work. */
    void rolledBackTo(int size) {
        for (int i = hooks.size() - 1; i >= size; i--) {
            Hook hook = hooks.get(i);
            if (hook.afterCommit) {
                hooks.remove(i);
            } else {
                hook.always = true;
            }
        }
    }

    /**
     * Runs the hooks that apply, in the order in which they were added.
     *
     * @return the first failure, with the others suppressed, or {@code null}
     */
    @Nullable Throwable run(boolean committed) {
        Throwable failure = null;
        for (Hook hook : hooks) {
            if (hook.always || hook.afterCommit == committed) {
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
