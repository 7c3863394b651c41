package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.cursor.Cursor;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.session.TransactionIsolationLevel;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** MyBatis sessions and mappers. */
class MyBatisTest extends OnEachDatabase {
    static final class Item {
        Long id;
        final String name;

        Item(String name) {
            this.name = name;
        }
    }

    interface Items {
        @Insert("INSERT INTO item(name) VALUES (#{name})")
        @Options(useGeneratedKeys = true, keyProperty = "id", keyColumn = "id")
        int insert(Item item);

        @Insert("INSERT INTO item(name) VALUES (#{name})")
        int insertName(String name);

        @Select(value = "INSERT INTO item(name) VALUES (#{name}) RETURNING id", affectData = true)
        long insertReturning(String name);

        @Select("SELECT count(*) FROM item")
        int count();

        @Select("SELECT name FROM item ORDER BY name")
        @Options(fetchSize = 1)
        Cursor<String> names();
    }

    private SqlSessionFactory sessions;

    @BeforeEach
    void openSessions() {
        Configuration configuration =
                new Configuration(new Environment("test", new JdbcTransactionFactory(), dataSource));
        configuration.addMapper(Items.class);
        sessions = new SqlSessionFactoryBuilder().build(configuration);
    }

    private static Items items(SqlSession session) {
        return session.getMapper(Items.class);
    }

    @Test
    void a_session_commits_rolls_back_or_closes() throws SQLException {
        try (SqlSession session = sessions.openSession()) {
            items(session).insertName("a");
            session.commit();
            items(session).insertName("b");
            session.rollback();
            items(session).insertName("c");
        }
        assertThat(names()).containsExactly("a");
    }

    @Test
    void a_session_in_auto_commit_holds_no_lock() throws SQLException {
        try (SqlSession first = sessions.openSession(true);
                SqlSession second = sessions.openSession(true)) {
            items(first).insertName("a");
            items(second).insertName("b");
        }
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void two_sessions_can_write_alternately() throws SQLException {
        try (SqlSession first = sessions.openSession();
                SqlSession second = sessions.openSession()) {
            items(first).insertName("a");
            first.commit();
            items(second).insertName("b");
            second.commit();
            items(first).insertName("c");
            first.commit();
        }
        assertThat(names()).containsExactly("a", "b", "c");
    }

    @Test
    void a_second_session_fails_at_once_on_sqlite() throws SQLException {
        try (SqlSession first = sessions.openSession();
                SqlSession second = sessions.openSession()) {
            items(first).insertName("a");
            if (isSqlite()) {
                SelfWait.assertRejected(engine, () -> items(second).insertName("b"));
            } else {
                items(second).insertName("b");
                second.commit();
            }
            first.commit();
        }
        assertThat(names()).hasSize(isSqlite() ? 1 : 2);
    }

    @Test
    void closing_a_read_only_session_releases_its_lock() throws SQLException {
        try (SqlSession session = sessions.openSession()) {
            assertThat(items(session).count()).isZero();
        }
        try (SqlSession session = sessions.openSession()) {
            items(session).insertName("a");
            session.commit();
        }
        assertThat(names()).containsExactly("a");
    }

    @Test
    void generated_keys_are_returned_for_single_rows() {
        try (SqlSession session = sessions.openSession()) {
            Item item = new Item("a");
            items(session).insert(item);
            assertThat(item.id).isEqualTo(1);
            assertThat(items(session).insertReturning("b")).isEqualTo(2);
            session.commit();
            assertThat(items(session).count()).isEqualTo(2);
        }
    }

    @Test
    void batches_are_part_of_the_transaction() throws SQLException {
        try (SqlSession session = sessions.openSession(ExecutorType.BATCH)) {
            items(session).insertName("a");
            items(session).insertName("b");
            session.commit();
            items(session).insertName("c");
            items(session).insertName("c");
            assertThatThrownBy(session::commit).isInstanceOf(PersistenceException.class);
            session.rollback(true);
        }
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void every_isolation_level_is_accepted() throws SQLException {
        for (TransactionIsolationLevel level : List.of(
                TransactionIsolationLevel.READ_COMMITTED,
                TransactionIsolationLevel.REPEATABLE_READ,
                TransactionIsolationLevel.SERIALIZABLE)) {
            try (SqlSession session = sessions.openSession(level)) {
                items(session).insertName(level.name());
                session.commit();
            }
        }
        assertThat(names()).hasSize(3);
    }

    @Test
    void a_cursor_is_read_while_the_transaction_writes() throws Exception {
        try (SqlSession session = sessions.openSession()) {
            items(session).insertName("a");
            items(session).insertName("b");
            List<String> read = new ArrayList<>();
            try (Cursor<String> cursor = items(session).names()) {
                for (String name : cursor) {
                    read.add(name);
                    if (read.size() == 2) {
                        break;
                    }
                    items(session).insertName("copy of " + name);
                }
            }
            session.commit();
            assertThat(read).containsExactly("a", "b");
        }
        assertThat(names()).hasSize(3);
    }

    @Test
    void a_failure_keeps_the_sql_exception() {
        try (SqlSession session = sessions.openSession()) {
            items(session).insertName("a");
            assertThatThrownBy(() -> items(session).insertName("a"))
                    .isInstanceOf(PersistenceException.class)
                    .hasCauseInstanceOf(SQLException.class);
        }
    }
}
