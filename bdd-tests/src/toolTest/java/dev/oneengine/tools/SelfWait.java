package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oneengine.cache.Engine;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.time.Duration;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The failure of a thread that would wait for its own open transaction or result on SQLite. Stateless and thread-safe. */
final class SelfWait {
    private SelfWait() {}

    /** Runs a call and checks that it fails at once, with an exception that names the database and the remedy. */
    static void assertRejected(Engine engine, ThrowingCallable call) {
        long start = System.nanoTime();
        Throwable failure = catchThrowable(call);
        assertThat(failure).isNotNull();
        SQLException rejection = Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .reduce((outer, inner) -> inner)
                .orElseThrow(() -> new AssertionError("No SQLException", failure));
        assertThat((Throwable) rejection)
                .isInstanceOf(
                        SQLNonTransientException.class) // not transient, because retrying the statement would not help
                .hasMessageContaining(engine.url().toString())
                .hasMessageContaining(Thread.currentThread().getName())
                .hasMessageContaining("use that connection");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isLessThan(engine.settings().busyTimeout());
    }
}
