package dev.oneengine.testing.house;

public final class Cellar {
    public static final class Shelf {}
}
