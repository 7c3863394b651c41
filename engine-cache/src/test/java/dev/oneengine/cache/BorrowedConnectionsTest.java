package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.testing.Proxies;
import dev.oneengine.testing.Race;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BorrowedConnectionsTest {
    /** The turns and connections that this thread still holds from earlier tests. */
    private int before;

    @BeforeEach
    void hideWhatIsHeld() {
        before = ConnectionDeadlocks.heldByThisThread().getAndSet(0);
    }

    @AfterEach
    void restoreWhatIsHeld() {
        ConnectionDeadlocks.heldByThisThread().set(before);
    }

    @Test
    void a_wait_that_ends_during_the_search_is_not_a_deadlock() {
        BorrowedConnections loans = new BorrowedConnections(() -> 2);
        BorrowedConnections.Loan wait = loans.register();
        BorrowedConnections.Loan other = loans.register();
        Connection arriving = connection(() -> false);
        loans.complete(other, connection(() -> {
            loans.complete(wait, arriving);
            return false;
        }));

        assertThat(wait.holders()).isEmpty();
    }

    @Test
    void the_borrowers_are_the_holders_only_while_the_pool_is_exhausted() throws Exception {
        AtomicBoolean returned = new AtomicBoolean();
        BorrowedConnections loans = new BorrowedConnections(() -> 2);
        loans.complete(loans.register(), connection(() -> false));
        BorrowedConnections.Loan wait = loans.register();
        assertThat(wait.isAnyEnough()).isTrue();
        assertThat(wait.holders()).isEmpty();
        Thread other;
        try (Race race = Race.withThreads(1)) {
            other = race.result(race.start(() -> {
                loans.complete(loans.register(), connection(returned::get));
                return Thread.currentThread();
            }));
        }

        assertThat(wait.holders()).containsExactly(Thread.currentThread(), other);
        returned.set(true);
        assertThat(wait.holders()).isEmpty();
    }

    @Test
    void a_returned_connection_has_no_holder() {
        AtomicBoolean returned = new AtomicBoolean();
        BorrowedConnections loans = new BorrowedConnections(() -> 1);
        loans.complete(loans.register(), connection(returned::get));
        assertThat(ConnectionDeadlocks.isHolding()).isTrue();

        returned.set(true);
        loans.register();
        assertThat(ConnectionDeadlocks.isHolding()).isFalse();
        loans.register();
        assertThat(ConnectionDeadlocks.isHolding()).isFalse();
        assertThat(ConnectionDeadlocks.heldByThisThread()).hasValue(0);
    }

    @Test
    void a_cancelled_wait_leaves_no_borrower() {
        BorrowedConnections loans = new BorrowedConnections(() -> 1);
        BorrowedConnections.Loan first = loans.register();
        BorrowedConnections.Loan wait = loans.register();
        loans.complete(first, connection(() -> false));
        assertThat(wait.holders()).containsExactly(Thread.currentThread());
        loans.cancel(first);
        assertThat(wait.holders()).isEmpty();
    }

    private static Connection connection(BooleanSupplier isClosed) {
        return Proxies.of(Connection.class, (self, method, args) -> isClosed.getAsBoolean());
    }
}
