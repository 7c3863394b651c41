package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.testing.Proxies;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenCursorsTest {
    private final OpenCursors cursors = new OpenCursors();
    private final List<Object> ended = new ArrayList<>();

    private SqliteCursor cursor(boolean writes) {
        return Proxies.of(SqliteCursor.class, (self, method, arguments) -> switch (method.getName()) {
            case "writes" -> writes;
            case "end" -> {
                ended.add(self);
                yield null;
            }
            case "equals" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    @Test
    void a_cursor_is_removed_once() {
        SqliteCursor reader = cursor(false);
        cursors.add(reader);

        assertThat(cursors.isEmpty()).isFalse();
        assertThat(cursors.haveWriter()).isFalse();
        assertThat(cursors.remove(reader)).isTrue();
        assertThat(cursors.remove(reader)).isFalse();
        assertThat(cursors.isEmpty()).isTrue();
    }

    @Test
    void one_writing_cursor_makes_the_connection_a_writer() {
        cursors.add(cursor(false));
        cursors.add(cursor(true));

        assertThat(cursors.haveWriter()).isTrue();
    }

    @Test
    void end_keeps_key_queries_open_and_end_all_closes_them() throws SQLException {
        try (Statement query =
                        DriverManager.getConnection("jdbc:sqlite::memory:").createStatement();
                Statement removed = query.getConnection().createStatement()) {
            SqliteCursor first = cursor(false);
            SqliteCursor second = cursor(false);
            cursors.add(first);
            cursors.add(second);
            cursors.addKeyQuery(query);
            cursors.addKeyQuery(removed);
            cursors.removeKeyQuery(removed);

            cursors.end();
            assertThat(ended).containsExactly(second, first);
            assertThat(query.isClosed()).isFalse();

            cursors.add(first);
            cursors.endAll();
            assertThat(ended).containsExactly(second, first, first);
            assertThat(query.isClosed()).isTrue();
            assertThat(removed.isClosed()).isFalse();
        }
    }
}
