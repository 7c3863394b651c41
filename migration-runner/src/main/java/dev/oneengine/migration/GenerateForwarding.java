package dev.oneengine.migration;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Generates a class for each interface. The generated class extends the annotated class, and forwards each method of the interface that
 * the annotated class does not implement to its target. The processor is in {@code src/forwarding} of {@code unit-of-work}.
 */
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
@interface GenerateForwarding {
    /** The interfaces. */
    Class<?>[] value();

    /** The beginning of the names of the generated classes. */
    String prefix() default "Forwarding";

    /** The methods whose first parameter is SQL text, if it is a string. */
    String[] sql() default {};
}
