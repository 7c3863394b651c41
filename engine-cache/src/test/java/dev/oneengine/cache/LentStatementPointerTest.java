package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.testing.ChildJvm;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteConnection;
import org.sqlite.core.CoreStatement;
import org.sqlite.core.DB;
import org.sqlite.core.SafeStmtPtr;

/** When a loan ends, its user loses the native statement, which stays open for the next user. */
class LentStatementPointerTest {
    private SQLiteConnection connection;
    private SafeStmtPtr kept;
    private LentStatementPointer lent;

    @BeforeEach
    void lend() throws SQLException {
        connection = (SQLiteConnection) DriverManager.getConnection("jdbc:sqlite::memory:");
        kept = ((CoreStatement) connection.prepareStatement("SELECT 42, 0.5")).pointer;
        lent = new LentStatementPointer(connection.getDatabase(), kept);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private void assertThatEachUseFails() {
        for (ThrowingCallable use : new ThrowingCallable[] {
            () -> lent.safeRunInt(DB::column_count),
            () -> lent.safeRunLong((db, pointer) -> pointer),
            () -> lent.safeRunDouble((db, pointer) -> db.column_double(pointer, 1)),
            () -> lent.safeRun(DB::column_names),
            () -> lent.safeRunConsume((db, pointer) -> {})
        }) {
            assertThatThrownBy(use).isInstanceOf(SQLException.class).hasMessage("The statement is closed");
        }
        assertThat(lent.isClosed()).isTrue();
    }

    @Test
    void each_call_reaches_the_native_statement() throws SQLException {
        long statement = kept.safeRunLong((db, pointer) -> pointer);
        lent.safeRunInt(DB::step);

        assertThat(lent.safeRunInt(DB::column_count)).isEqualTo(2);
        assertThat(lent.safeRunLong((db, pointer) -> pointer)).isEqualTo(statement);
        assertThat(lent.safeRunDouble((db, pointer) -> db.column_double(pointer, 1)))
                .isEqualTo(0.5);
        assertThat(lent.<String[], RuntimeException>safeRun((db, pointer) -> new String[] {"" + pointer}))
                .containsExactly("" + statement);
        AtomicLong consumed = new AtomicLong();
        lent.safeRunConsume((db, pointer) -> consumed.set(pointer));
        assertThat(consumed).hasValue(statement);
    }

    @Test
    void a_returned_statement_is_closed_only_for_its_former_user() throws SQLException {
        assertThat(lent.giveBack(false)).isTrue();

        assertThatEachUseFails();
        assertThat(kept.isClosed()).isFalse();
    }

    @Test
    void a_former_user_cannot_close_the_statement_of_the_next_one() throws SQLException {
        lent.giveBack(false);
        LentStatementPointer next = new LentStatementPointer(connection.getDatabase(), kept);

        lent.close();

        assertThat(next.isClosed()).isFalse();
        assertThat(next.safeRunInt(DB::column_count)).isEqualTo(2);
    }

    /** Runs a JVM that compiles in the foreground, and logs the locks that it replaces by slow ones. */
    @Test
    void a_new_class_of_functions_keeps_the_lock_of_the_database_fast() throws Exception {
        String output = ChildJvm.of(NewFunctions.class)
                .options(List.of("-Xbatch", "-XX:-TieredCompilation", "-Xlog:monitorinflation=trace"))
                .run();

        assertThat(output.lines())
                .contains("done")
                .noneMatch(line -> line.contains("inflate(") && line.contains("NativeDB"));
    }

    /** Uses a loan until the JVM has compiled its methods for one class of functions each, and then with another class. */
    static final class NewFunctions {
        private NewFunctions() {}

        public static void main(String[] arguments) throws SQLException {
            LentStatementPointerTest test = new LentStatementPointerTest();
            test.lend();
            for (int i = 0; i < 20_000; i++) {
                test.lent.safeRunInt(DB::column_count);
                test.lent.safeRunLong((db, pointer) -> pointer);
                test.lent.safeRunDouble((db, pointer) -> 0.5);
                test.lent.safeRun(DB::column_names);
                test.lent.safeRunConsume((db, pointer) -> {});
            }
            test.lent.safeRunInt(DB::reset);
            test.lent.safeRunLong((db, pointer) -> pointer + 1);
            test.lent.safeRunDouble((db, pointer) -> 1.5);
            test.lent.safeRun((db, pointer) -> "another class");
            test.lent.safeRunConsume(DB::reset);
            System.out.println("done");
        }
    }

    @Test
    void closing_a_loan_closes_the_native_statement() throws SQLException {
        lent.close();

        assertThatEachUseFails();
        assertThat(kept.isClosed()).isTrue();
        assertThat(lent.giveBack(false)).isFalse();
    }
}
