package dev.oneengine.testing.yard;

import org.jspecify.annotations.Nullable;

public final class Path {
    @Nullable Gate gate;

    @Nullable Shed shed;
}
