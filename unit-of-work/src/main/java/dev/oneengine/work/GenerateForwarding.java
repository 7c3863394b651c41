package dev.oneengine.work;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Generates a class {@code GuardedX} for each interface X. The generated class extends the annotated class, and forwards each method
 * of X that the annotated class does not implement to its target. The processor is in {@code src/forwarding}.
 */
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
@interface GenerateForwarding {
    /** The interfaces. */
    Class<?>[] value();

    /** The beginning of the names of the generated classes. */
    String prefix() default "Guarded";

    /** The methods whose first parameter is SQL text, if it is a string. */
    String[] sql() default {};

    /** The methods that do nothing after the end of the unit, instead of failing. */
    String[] silentAfterEnd() default {};
}
