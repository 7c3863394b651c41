package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeSliceTest {
    @ParameterizedTest
    @CsvSource({"0, 4000", "1, 4000", "8, 4000", "9, 3552", "16, 2000", "32, 1000", "33, 1000", "1000, 1000"})
    void many_waiting_threads_shorten_the_slice(int waiting, long expected) {
        assertThat(new TimeSlice(Duration.ofNanos(4_000)).length(waiting)).isEqualTo(expected);
    }
}
