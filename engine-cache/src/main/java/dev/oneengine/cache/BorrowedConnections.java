package dev.oneengine.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a pool that are in use, each with the thread that took it. A pool does not tell when one is returned, so
 * returned ones are removed when the next is taken. Thread-safe.
 */
final class BorrowedConnections {
    private final IntSupplier poolSize;
    private final Object lock = new Object();

    @GuardedBy("lock") private final List<Loan> loans = new ArrayList<>();

    /** A connection, or the wait of a thread for one. */
    final class Loan implements DeadlockDetector.Resource {
        private final Thread thread = Thread.currentThread();
        private final AtomicInteger held = DeadlockDetector.heldByThisThread();
        private volatile @Nullable Connection connection;

        @Override
        public List<Thread> holders() {
            List<Thread> threads = borrowers();
            // Checked last: a connection that arrives meanwhile makes its own thread a borrower, which is no ring.
            return connection != null ? List.of() : threads;
        }

        @Override
        public boolean isAnyEnough() {
            return true;
        }
    }

    BorrowedConnections(IntSupplier poolSize) {
        this.poolSize = poolSize;
    }

    /** Notes that the current thread takes a connection, whether or not it must wait for one. */
    Loan begin() {
        Loan loan = new Loan();
        synchronized (lock) {
            loans.removeIf(BorrowedConnections::isReturned);
            loans.add(loan);
        }
        return loan;
    }

    /** Notes that the thread has its connection. */
    Connection complete(Loan loan, Connection connection) {
        loan.held.incrementAndGet();
        loan.connection = connection;
        return connection;
    }

    /** Notes that the thread has got no connection. */
    void cancel(Loan loan) {
        synchronized (lock) {
            loans.remove(loan);
        }
    }

    int size() {
        return poolSize.getAsInt();
    }

    private static boolean isReturned(Loan loan) {
        Connection connection = loan.connection;
        try {
            if (connection != null && connection.isClosed()) {
                loan.held.decrementAndGet();
                return true;
            }
        } catch (SQLException e) {
            // Not known to be returned.
        }
        return false;
    }

    /** The threads that have a connection; none if the pool still has one to give, perhaps to a thread that is about to get it. */
    private List<Thread> borrowers() {
        synchronized (lock) {
            loans.removeIf(BorrowedConnections::isReturned);
            List<Thread> threads = loans.stream()
                    .filter(loan -> loan.connection != null)
                    .map(loan -> loan.thread)
                    .toList();
            return threads.size() < size() ? List.of() : threads;
        }
    }
}
