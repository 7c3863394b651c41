package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import com.zaxxer.hikari.metrics.PoolStats;
import dev.oneengine.testing.Proxies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class SafeMetricsTest {
    private final Logger log = (Logger) LoggerFactory.getLogger(SafeMetrics.class);
    private final ListAppender<ILoggingEvent> entries = new ListAppender<>();

    @AfterEach
    void detach() {
        log.detachAppender(entries);
        Thread.interrupted();
    }

    private static IMetricsTracker safe(IMetricsTracker tracker) {
        return SafeMetrics.of((pool, stats) -> tracker).create("orders", new PoolStats(1_000) {
            @Override
            protected void update() {
                // there is no pool to read values from
            }
        });
    }

    private static IMetricsTracker failing(RuntimeException failure) {
        return Proxies.of(IMetricsTracker.class, (self, method, arguments) -> {
            throw failure;
        });
    }

    @Test
    void each_measurement_reaches_the_tracker() {
        List<String> calls = new ArrayList<>();
        IMetricsTracker metrics = safe(Proxies.of(IMetricsTracker.class, (self, method, arguments) -> {
            calls.add(method.getName() + (arguments == null ? "" : " " + arguments[0]));
            return null;
        }));

        metrics.recordConnectionCreatedMillis(1);
        metrics.recordConnectionAcquiredNanos(2);
        metrics.recordConnectionUsageMillis(3);
        metrics.recordConnectionTimeout();
        metrics.close();

        assertThat(calls)
                .containsExactly(
                        "recordConnectionCreatedMillis 1",
                        "recordConnectionAcquiredNanos 2",
                        "recordConnectionUsageMillis 3",
                        "recordConnectionTimeout",
                        "close");
    }

    @Test
    void the_failure_of_a_tracker_is_logged_once() {
        entries.start();
        log.addAppender(entries);
        IllegalStateException failure = new IllegalStateException("no registry");
        IMetricsTracker metrics = safe(failing(failure));

        metrics.recordConnectionCreatedMillis(1);
        metrics.recordConnectionAcquiredNanos(2);
        metrics.recordConnectionUsageMillis(3);
        metrics.recordConnectionTimeout();

        assertThat(entries.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("The metrics of orders failed; further failures are not logged");
        assertThatThrownBy(metrics::close).isSameAs(failure);
    }

    /** Any code can throw a checked exception that it does not declare. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void rethrow(Throwable failure) throws E {
        throw (E) failure;
    }

    @Test
    void an_interrupt_inside_the_tracker_is_preserved() {
        IMetricsTracker metrics = safe(new IMetricsTracker() {
            @Override
            public void recordConnectionTimeout() {
                SafeMetricsTest.<RuntimeException>rethrow(new InterruptedException());
            }
        });

        metrics.recordConnectionTimeout();

        assertThat(Thread.interrupted()).isTrue();
    }
}
