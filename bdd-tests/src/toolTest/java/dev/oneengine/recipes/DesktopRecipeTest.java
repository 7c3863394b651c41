package dev.oneengine.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.work.UnitOfWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DesktopRecipeTest {
    static final class Document implements AutoCloseable {
        private final EngineCache cache = EngineCache.create();
        private final UnitOfWork work;

        Document(Path file) {
            String url = "jdbc:sqlite:" + file;
            work = UnitOfWork.builder(url)
                    .cache(cache)
                    .prepare(MigrationRunner.on(url).cache(cache).preparation()) // updates files of older versions
                    .build();
        }

        void add(String plan) throws SQLException {
            work.run(tx -> Plans.insert(tx.connection(), plan));
        }

        void backUp(Path target) throws SQLException, IOException { // while the document is in use
            Path copy = target.resolveSibling(target.getFileName() + ".new");
            Files.deleteIfExists(copy); // SQLite does not overwrite a file
            DataSource dataSource = work.engine().dataSource();
            try (Connection connection = dataSource.getConnection();
                    PreparedStatement backup = connection.prepareStatement("VACUUM INTO ?")) {
                backup.setString(1, copy.toString());
                backup.executeUpdate();
            }
            Files.move(copy, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }

        @Override
        public void close() {
            cache.close(); // leaves one file: the write-ahead log is merged into it
        }
    }

    @Test
    void a_document_is_saved_to_a_file_and_backed_up(@TempDir Path home) throws Exception {
        Path backup = home.resolve("backup.db");
        try (Document document = new Document(home.resolve("plans.db"))) {
            document.add("first");
            document.backUp(backup);
            document.add("second");
            document.backUp(backup);
            document.add("third");
        }

        try (Document restored = new Document(backup)) {
            assertThat(Plans.count(restored.work.engine().dataSource())).isEqualTo(2);
        }
        try (var files = Files.list(home)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("plans.db", "backup.db")
                    .allMatch(name -> name.endsWith(".db") || name.endsWith("-migration-lock"));
        }
    }
}
