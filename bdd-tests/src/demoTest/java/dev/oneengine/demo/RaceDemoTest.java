package dev.oneengine.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.demo.Event.Kind;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RaceDemoTest {
    private static RaceResult run(Function<Recorder, Subject> made) throws Exception {
        Recorder recorder = new Recorder();
        try (Subject subject = made.apply(recorder)) {
            return new RaceDemo(subject, recorder).run();
        }
    }

    private static List<Kind> kinds(RaceResult race, Lane lane) {
        return race.events().stream()
                .filter(event -> event.lane() == lane)
                .map(Event::kind)
                .toList();
    }

    private static int place(RaceResult race, Lane lane, Kind kind) {
        List<Event> events = race.events();
        return events.indexOf(events.stream()
                .filter(event -> event.lane() == lane && event.kind() == kind)
                .findFirst()
                .orElseThrow());
    }

    @RepeatedTest(20)
    void the_cache_of_the_bug_reports_fails_every_time() throws Exception {
        RaceResult race = run(RacySubject::new);

        assertThat(race.showsTheBug()).allMatch(Check::met);
        assertThat(race.isOneDatabase()).isFalse();
        assertThat(race.a()).isEqualTo(new RaceResult.Outcome(1, 1, null));
        assertThat(race.b().engine()).isEqualTo(2);
        assertThat(race.b().failure()).contains("no such table: plan");
        assertThat(kinds(race, Lane.A))
                .containsExactly(
                        Kind.CHECK, Kind.CREATE, Kind.CREATED, Kind.WRITE, Kind.READ, Kind.USE, Kind.USE, Kind.USE);
        assertThat(kinds(race, Lane.B))
                .containsExactly(Kind.CHECK, Kind.CREATE, Kind.CREATED, Kind.WRITE, Kind.READ, Kind.FAILED);
        assertThat(place(race, Lane.B, Kind.CHECK)).isLessThan(place(race, Lane.A, Kind.CREATE));
        assertThat(place(race, Lane.B, Kind.WRITE)).isGreaterThan(place(race, Lane.A, Kind.READ));
        assertThat(race.events().get(place(race, Lane.B, Kind.WRITE)).text()).isEqualTo("engine 2 over engine 1");
    }

    @RepeatedTest(20)
    void the_cache_of_the_library_gives_both_threads_one_engine() throws Exception {
        RaceResult race = run(LibrarySubject::new);

        assertThat(race.showsTheFix()).allMatch(Check::met);
        assertThat(race.isOneDatabase()).isTrue();
        assertThat(race.a()).isEqualTo(new RaceResult.Outcome(1, 2, null)).isEqualTo(race.b());
        assertThat(kinds(race, Lane.B)).containsExactly(Kind.ASK, Kind.WAIT, Kind.READ, Kind.USE, Kind.USE);
        assertThat(place(race, Lane.B, Kind.WAIT))
                .isBetween(place(race, Lane.A, Kind.CREATE), place(race, Lane.A, Kind.CREATED));
        assertThat(race.events().get(place(race, Lane.B, Kind.WAIT)).text())
                .isEqualTo("seen WAITING, stats().waits() = 1");
    }

    @Test
    void the_bug_does_not_pass_the_checks_of_the_fix() throws Exception {
        assertThat(run(RacySubject::new).showsTheFix()).noneMatch(check -> check.met());
    }

    @Test
    void the_fix_does_not_pass_the_checks_of_the_bug() throws Exception {
        assertThat(run(LibrarySubject::new).showsTheBug()).noneMatch(check -> check.met());
    }

    @Test
    void a_failing_thread_ends_the_run_at_once() {
        assertThatThrownBy(() -> run(Unfit::new))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("no engine for A");
    }

    /** A cache without engines. */
    static final class Unfit implements Subject {
        Unfit(Recorder recorder) {
            recorder.record(Lane.A, Kind.ASK, 0, "cache.engine(url)");
        }

        @Override
        public String title() {
            return "Unfit";
        }

        @Override
        public String place() {
            return "nothing";
        }

        @Override
        public NumberedEngine engine(Lane lane) {
            throw new IllegalStateException("no engine for " + lane);
        }

        @Override
        public int created() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
