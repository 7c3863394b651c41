package dev.oneengine.testing.yard;

import org.jspecify.annotations.Nullable;

public final class Gate {
    @Nullable Path path;
}
