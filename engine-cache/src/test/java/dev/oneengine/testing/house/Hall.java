package dev.oneengine.testing.house;

public final class Hall {
    /** A nested class belongs to the room of the outermost one. */
    static final class Floor {
        final Door[] doors = new Door[1];
        final Cellar.Shelf below = new Cellar.Shelf();
    }
}
