package dev.oneengine.testing.yard;

import org.jspecify.annotations.Nullable;

public final class Shed {
    @Nullable Path path;
}
