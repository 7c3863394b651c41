package dev.oneengine.migration;

import java.util.List;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/** A user's callback that checks whether clean is disabled. Confined to its thread. */
final class Watching extends BaseCallback {
    private final List<Boolean> cleanDisabled;

    Watching(List<Boolean> cleanDisabled) {
        this.cleanDisabled = cleanDisabled;
    }

    @Override
    public void handle(Event event, Context context) {
        cleanDisabled.add(context.getConfiguration().isCleanDisabled());
    }
}
