package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class LoansTest {
    @Test
    void a_wait_that_ends_while_the_borrowers_are_listed_is_no_ring() {
        Loans loans = new Loans(() -> 2);
        Loans.Loan wait = loans.begin();
        Loans.Loan other = loans.begin();
        Connection arriving = connection(() -> false);
        loans.complete(other, connection(() -> {
            loans.complete(wait, arriving);
            return false;
        }));

        assertThat(wait.holders()).isEmpty();
    }

    private static Connection connection(BooleanSupplier isClosed) {
        return (Connection) Proxy.newProxyInstance(
                LoansTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, args) -> isClosed.getAsBoolean());
    }
}
