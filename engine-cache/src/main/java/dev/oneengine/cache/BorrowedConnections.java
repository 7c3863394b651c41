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
 * The connections of a pool that are in use, each with the thread that took it. A pool does not report returned connections, so each new
 * loan first removes them from this list. Thread-safe.
 */
final class BorrowedConnections {
    private final IntSupplier poolSize;
    private final Object lock = new Object();

    @GuardedBy("lock") private final List<Loan> loans = new ArrayList<>();

    /** A connection in use, or the wait of a thread for a connection. */
    final class Loan implements ConnectionDeadlocks.Resource {
        private final Thread thread = Thread.currentThread();
        private final AtomicInteger held = ConnectionDeadlocks.heldByThisThread();
        private volatile @Nullable Connection connection;

        @Override
        public List<Thread> holders() {
            List<Thread> threads = borrowers();
            // Checked last, because a connection may arrive during the check. Then this thread is a borrower, and there
            // is no deadlock.
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

    /** Registers the current thread, which takes a connection or waits for one. */
    Loan register() {
        Loan loan = new Loan();
        synchronized (lock) {
            loans.removeIf(BorrowedConnections::isReturned);
            loans.add(loan);
        }
        return loan;
    }

    /** Registers the connection that the thread has got. */
    Connection complete(Loan loan, Connection connection) {
        loan.held.incrementAndGet();
        loan.connection = connection;
        return connection;
    }

    /** Removes a thread that has got no connection. */
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
            // Unknown, so it counts as in use.
        }
        return false;
    }

    /** Returns the threads that have a connection; none if the pool has a free connection. */
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
