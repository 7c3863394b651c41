package dev.oneengine.acceptance.glue;

import dev.oneengine.acceptance.DatabaseKind;
import dev.oneengine.acceptance.Implementation;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Uses each implementation once before its first scenario. Thread-safe; the only state is static and guarded by {@code LOCK}. */
final class WarmUp {
    /** The failure of each implementation, empty if there is none. */
    private static final Map<Implementation, Optional<Throwable>> FAILURES = new HashMap<>();

    private static final Object LOCK = new Object();

    private WarmUp() {}

    /** Uses an implementation once. If that fails, each scenario fails for the same reason. */
    static void require(Implementation implementation, Caller caller) {
        synchronized (LOCK) {
            Throwable reason = FAILURES.computeIfAbsent(
                            implementation, any -> Optional.ofNullable(caller.failureOf(() -> useOnce(implementation))))
                    .orElse(null);
            if (reason != null) {
                throw new AssertionError("Cannot use the implementation: " + reason.getMessage(), reason);
            }
        }
    }

    private static boolean useOnce(Implementation implementation) throws Exception {
        Databases own = new Databases(implementation);
        try {
            Database database = own.add(DatabaseKind.IN_MEMORY, "warm_up");
            AdapterCheck.useOnce(implementation, database.url(), own.folder());
        } finally {
            own.delete();
        }
        return true;
    }
}
