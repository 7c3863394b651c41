package dev.oneengine.cache.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ThrowablesTest {
    /** An exception whose methods fail, or return nothing. */
    private static final class Strange extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final boolean fails;

        Strange(boolean fails) {
            this.fails = fails;
        }

        private @Nullable String text() {
            if (fails) {
                throw new IllegalStateException("no text");
            }
            return null;
        }

        @Override
        public @Nullable String getMessage() {
            return text();
        }

        @Override
        @SuppressWarnings("NullAway") // other code may return null here
        public String toString() {
            return text();
        }
    }

    @Test
    void a_failure_is_described_by_its_type_and_its_message() {
        Throwable failure = new IOException("disk full");
        assertThat(Throwables.describe(failure)).isEqualTo("java.io.IOException: disk full");
        assertThat(Throwables.message(failure)).isEqualTo("disk full");
    }

    @Test
    void a_failure_without_a_message_is_described_by_its_type() {
        for (Throwable failure : new Throwable[] {new Strange(true), new Strange(false)}) {
            assertThat(Throwables.describe(failure)).isEqualTo(Strange.class.getName());
            assertThat(Throwables.message(failure)).isEqualTo(Strange.class.getName());
        }
    }

    @Test
    void a_failure_does_not_suppress_itself() {
        Throwable failure = new IOException("first");
        Throwable other = new IOException("second");
        Throwables.suppress(failure, failure);
        Throwables.suppress(failure, other);
        assertThat(failure.getSuppressed()).containsExactly(other);
    }

    @Test
    void a_logger_that_fails_changes_nothing() {
        assertThatCode(() -> Throwables.log(() -> {
                    throw new IllegalStateException("no disk for the log");
                }))
                .doesNotThrowAnyException();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void only_an_interrupted_exception_restores_the_interrupt() {
        Throwables.keepInterrupt(new IOException("no interrupt"));
        assertThat(Thread.interrupted()).isFalse();
        Throwables.keepInterrupt(new InterruptedException());
        assertThat(Thread.interrupted()).isTrue();
    }
}
