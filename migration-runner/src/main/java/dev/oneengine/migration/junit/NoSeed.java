package dev.oneengine.migration.junit;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.Preparation;

/** The default of {@link MigratedDatabase#seed}: adds nothing to what the scripts insert. Stateless and thread-safe. */
final class NoSeed implements Preparation.Action {
    @Override
    public void run(Engine engine) {
        // The scripts are enough.
    }
}
