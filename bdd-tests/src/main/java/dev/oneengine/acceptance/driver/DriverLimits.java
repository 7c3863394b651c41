package dev.oneengine.acceptance.driver;

import java.time.Duration;

/**
 * The limits of the waits for a driver. Only a driver that hangs reaches one. Immutable.
 *
 * @param hello for the first message
 * @param look for the places of its threads
 * @param answer for the answer to a call
 * @param exit for the exit after {@code bye}
 * @param failedExit for the exit of a driver that has closed its output, or has a call without an answer
 */
record DriverLimits(Duration hello, Duration look, Duration answer, Duration exit, Duration failedExit) {
    /** The limit of an answer is longer than that of scenarios, because their messages explain a timeout better. */
    static final DriverLimits COMMON = new DriverLimits(
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(35),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5));
}
