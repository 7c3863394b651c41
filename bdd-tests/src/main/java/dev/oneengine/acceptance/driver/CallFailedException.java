package dev.oneengine.acceptance.driver;

/** Reports a failed call of a driver, with the messages of the driver's exception and its causes. Thread-safe. */
final class CallFailedException extends Exception {
    private static final long serialVersionUID = 1;

    CallFailedException(String message) {
        super(message);
    }
}
