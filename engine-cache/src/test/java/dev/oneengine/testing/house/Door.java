package dev.oneengine.testing.house;

import org.jspecify.annotations.Nullable;

public final class Door {
    @Nullable Hall hall;
}
