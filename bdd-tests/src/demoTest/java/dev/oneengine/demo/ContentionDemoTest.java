package dev.oneengine.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.demo.Contender.Conflicts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ContentionDemoTest {
    private static Contention contention(Conflicts expected, Map<String, Long> failures, long rows, long counter) {
        return new Contention("any", expected, 10, failures, Duration.ofMillis(5), 2, rows, counter);
    }

    @Test
    void plain_writers_fail_but_units_of_work_do_not() throws Exception {
        List<Contention> results = new ContentionDemo(Duration.ofMillis(300)).run();

        assertThat(results)
                .extracting(Contention::name)
                .containsExactly(
                        "pool, cache=shared",
                        "pool, memdb, BEGIN",
                        "pool, memdb, BEGIN IMMEDIATE",
                        "One Engine, UnitOfWork");
        assertThat(results)
                .allSatisfy(result -> assertThat(result.keepsAll().met())
                        .as(result.keepsAll().text())
                        .isTrue());
        assertThat(results.get(0).reasons()).contains("SQLITE_LOCKED_SHAREDCACHE");
        assertThat(results.get(1).reasons()).isIn("", "SQLITE_BUSY");
        assertThat(results.get(3).failed()).isZero();
        assertThat(results).allSatisfy(result -> {
            assertThat(result.seconds()).isGreaterThanOrEqualTo(0.3);
            assertThat(result.longest()).isPositive();
        });
    }

    @Test
    void an_unexpected_conflict_is_reported() {
        Contention result = contention(Conflicts.NEVER, Map.of("SQLITE_BUSY", 1L), 10, 10);

        assertThat(result.conflicts()).contains(new Check("any: transactions failed with SQLITE_BUSY", false));
    }

    @Test
    void a_contender_without_a_commit_is_reported() {
        Contention result = new Contention("any", Conflicts.NEVER, 0, Map.of(), Duration.ofMillis(5), 2, 0, 0);

        assertThat(result.keepsAll().met()).isTrue();
        assertThat(result.conflicts()).contains(new Check("any: no transaction failed", false));
    }

    @Test
    void a_missing_conflict_is_reported() {
        Contention result = contention(Conflicts.ALWAYS, Map.of(), 10, 10);

        assertThat(result.conflicts()).contains(new Check("any: no transaction failed", false, false));
    }

    @Test
    void failures_that_depend_on_the_machine_are_not_checked() {
        assertThat(contention(Conflicts.PERHAPS, Map.of("SQLITE_BUSY", 1L), 10, 10)
                        .conflicts())
                .isEmpty();
    }

    @Test
    void a_lost_row_is_reported() {
        assertThat(contention(Conflicts.NEVER, Map.of(), 10, 10).keepsAll().met())
                .isTrue();
        assertThat(contention(Conflicts.NEVER, Map.of(), 9, 10).keepsAll())
                .isEqualTo(new Check("any: 10 committed, 9 rows, counter 10", false));
        assertThat(contention(Conflicts.NEVER, Map.of(), 10, 9).keepsAll().met())
                .isFalse();
    }

    @Test
    void failed_transactions_are_bad_news_even_if_no_row_is_lost() {
        assertThat(contention(Conflicts.PERHAPS, Map.of("SQLITE_BUSY", 1_000L), 10, 10)
                        .keepsAll())
                .isEqualTo(new Check("any: 10 committed, 1,000 failed, 10 rows, counter 10", false, true));
    }

    @Test
    void numbers_are_derived_from_the_counts() {
        Contention result = contention(Conflicts.PERHAPS, Map.of("SQLITE_BUSY", 20L, "SQLITE_LOCKED", 10L), 10, 10);

        assertThat(result.failed()).isEqualTo(30);
        assertThat(result.failedPercent()).isEqualTo(75);
        assertThat(result.perSecond()).isEqualTo(5);
        assertThat(result.longestMillis()).isEqualTo(5);
        assertThat(result.reasons()).isEqualTo("SQLITE_BUSY, SQLITE_LOCKED");
    }
}
