package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.testing.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class TransactionViewTest {
    /** A recursive search would overflow the stack with this many comments. */
    @Test
    void the_end_of_a_transaction_is_detected_after_many_comments() throws SQLException {
        // Few blanks, because SQLite's driver takes seconds to skip many of them.
        String comments = "-- and commit\n".repeat(10_000) + " ".repeat(100) + "/* or */".repeat(10_000);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:")) {
            Connection view = TransactionView.of(connection, () -> {});

            assertThatThrownBy(() -> Sql.execute(view, comments + "COMMIT"))
                    .isInstanceOf(SQLException.class)
                    .hasMessage(TransactionView.ENDED);
            Sql.execute(view, comments + "CREATE TABLE commits(name TEXT)");
            assertThat(Sql.query(view, "SELECT count(*) FROM commits")).isEqualTo("0");
        }
    }

    @Test
    void a_prepared_statement_cannot_end_the_transaction() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:")) {
            Connection view = TransactionView.of(connection, () -> {});
            assertThatThrownBy(() -> view.prepareStatement("ROLLBACK"))
                    .isInstanceOf(SQLException.class)
                    .hasMessage(TransactionView.ENDED);
        }
    }
}
