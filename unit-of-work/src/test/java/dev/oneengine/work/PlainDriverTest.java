package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSource;
import dev.oneengine.testing.Sql;
import dev.oneengine.testing.TestSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** Units of work on connections of SQLite's plain driver, which cannot become read-only once they are open. */
@Timeout(60)
class PlainDriverTest {
    @TempDir
    Path directory;

    @Test
    void a_read_only_unit_cannot_write_but_the_next_unit_can() throws SQLException {
        String url = "jdbc:sqlite:" + directory.resolve("plain.db");
        SQLiteDataSource plain = new SQLiteDataSource();
        plain.setUrl(url);
        EngineSource source = new TestSource(plain, () -> {});
        try (EngineCache cache = EngineCache.create((any, settings) -> source, EngineSettings.defaults())) {
            Engine engine = cache.engine(url);
            UnitOfWork work = UnitOfWork.on(engine);
            work.run(tx -> Sql.execute(tx.connection(), "CREATE TABLE item(name TEXT PRIMARY KEY)"));
            assertThatThrownBy(() -> work.read(tx -> {
                        Items.insert(tx, "of a reader");
                        return true;
                    }))
                    .isInstanceOf(SQLException.class);
            work.run(tx -> {
                assertThat(work.<Object, SQLException>read(inner -> Items.in(inner.connection())))
                        .isEqualTo(List.of());
                Items.insert(tx, "a");
            });
            assertThatThrownBy(() -> work.run(tx -> {
                        Items.insert(tx, "lost");
                        throw new IllegalStateException("work");
                    }))
                    .hasMessage("work");
            assertThat(Items.in(engine.dataSource())).containsExactly("a");
        }
    }
}
