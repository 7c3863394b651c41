package dev.oneengine.acceptance.driver;

/** A call of a driver that failed; its message holds those of the driver's exception and of its causes. */
final class CallFailedException extends Exception {
    private static final long serialVersionUID = 1;

    CallFailedException(String message) {
        super(message);
    }
}
