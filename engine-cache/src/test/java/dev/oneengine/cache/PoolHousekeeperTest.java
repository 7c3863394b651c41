package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PoolHousekeeperTest {
    private final PoolHousekeeper own = new PoolHousekeeper("own", false);
    private final PoolHousekeeper sharing = new PoolHousekeeper("sharing", true);

    @AfterEach
    void end() {
        own.end();
        sharing.end();
    }

    private static ScheduledFuture<?> schedule(PoolHousekeeper housekeeper) {
        return housekeeper.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.HOURS);
    }

    @Test
    void a_cancelled_task_leaves_the_queue() {
        for (PoolHousekeeper housekeeper : new PoolHousekeeper[] {own, sharing}) {
            ScheduledThreadPoolExecutor executor = housekeeper == own ? own : PoolHousekeeper.SHARED;
            ScheduledFuture<?> task = schedule(housekeeper);
            assertThat(executor.getQueue().contains(task)).isTrue();

            task.cancel(false);

            assertThat(executor.getQueue().contains(task)).isFalse();
        }
    }

    @Test
    void closing_a_pool_cancels_only_its_own_tasks() {
        ScheduledFuture<?> other = sharing.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.HOURS);
        PoolHousekeeper ending = new PoolHousekeeper("ending", true);
        ScheduledFuture<?> task = schedule(ending);
        ScheduledFuture<?> ofOwn = schedule(own);

        ending.end();
        own.end();

        assertThat(task.isCancelled()).isTrue();
        assertThat(PoolHousekeeper.SHARED.getQueue().contains(task)).isFalse();
        assertThat(other.isCancelled()).isFalse();
        assertThat(own.getQueue().contains(ofOwn)).isFalse();
        assertThat(own.isShutdown()).isTrue();
    }
}
