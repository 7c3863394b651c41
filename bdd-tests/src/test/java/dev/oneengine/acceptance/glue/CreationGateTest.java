package dev.oneengine.acceptance.glue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CreationGateTest {
    private final Crew crew = new Crew(thread -> Optional.empty(), new Story());
    private final Story story = new Story();
    private final CreationGate site = new CreationGate(crew, story, "plans");

    private boolean visit() throws Exception {
        site.visit(Thread.currentThread());
        return true;
    }

    @Test
    void an_implementation_may_create_engines_on_separate_threads() throws Exception {
        ExecutorService strangers = Executors.newFixedThreadPool(2);
        try {
            site.hold();
            Future<Boolean> first = strangers.submit(this::visit);
            await().until(() -> site.visits() == 1);
            Future<Boolean> second = strangers.submit(this::visit);
            await().until(() -> site.visits() == 2);
            assertThat(first).isNotDone();
            site.release();
            assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
            assertThat(second.get(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            strangers.shutdownNow();
        }
    }

    @Test
    void a_creation_that_waits_for_a_held_one_does_not_deadlock() {
        CountDownLatch secondIsDone = new CountDownLatch(1);
        site.hold();
        Worker<Boolean> first = crew.start("first", () -> {
            site.visit(Thread.currentThread());
            secondIsDone.await();
            return true;
        });
        await().until(() -> site.isInside(first));
        Worker<Boolean> second = crew.start("second", this::visit);
        await().until(() -> site.isInside(second));

        site.release();

        assertThat(second.result()).isTrue();
        assertThat(first.isDone()).isFalse();
        secondIsDone.countDown();
        assertThat(first.result()).isTrue();
    }

    @Test
    void a_creation_on_another_thread_is_attributed_to_its_caller() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService strangers = Executors.newFixedThreadPool(1);
        try {
            site.hold();
            Worker<Boolean> caller = crew.start("A", () -> end.await(30, TimeUnit.SECONDS));
            site.expect(caller);
            Future<Boolean> creation = strangers.submit(this::visit);
            await().until(() -> site.isInside(caller));
            site.release();
            assertThat(creation.get(30, TimeUnit.SECONDS)).isTrue();
            assertThat(site.isInside(caller)).isFalse();
            end.countDown();
            assertThat(caller.result()).isTrue();
        } finally {
            strangers.shutdownNow();
        }
    }

    @Test
    void a_creation_is_not_attributed_to_a_caller_that_has_ended_or_created_an_engine() throws Exception {
        ExecutorService strangers = Executors.newFixedThreadPool(1, task -> new Thread(task, "stranger"));
        try {
            site.hold();
            Worker<Boolean> done = crew.start("A", () -> true);
            done.awaitEnd();
            site.expect(done);
            Worker<Boolean> creator = crew.start("B", this::visit);
            site.expect(creator);
            await().until(() -> site.visits() == 1);
            Future<Boolean> creation = strangers.submit(this::visit);
            await().until(() -> site.visits() == 2);
            assertThat(story.events()).extracting(Story.Event::thread).containsExactly("B", "stranger");
            site.release();
            assertThat(creator.result()).isTrue();
            assertThat(creation.get(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            strangers.shutdownNow();
        }
    }

    @Test
    void a_retrying_thread_does_not_wait_for_its_earlier_creation() {
        site.expect(List.of());
        Worker<Boolean> worker = crew.start("A", () -> {
            visit();
            return visit();
        });
        assertThat(worker.result()).isTrue();
    }
}
