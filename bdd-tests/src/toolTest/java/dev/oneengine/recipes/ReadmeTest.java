package dev.oneengine.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.work.UnitOfWork;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class ReadmeTest {
    @Test
    void the_code_in_the_readme_works() throws SQLException {
        String url = "sqlite:///:memory:"; // or "sqlite:///app.db", or "postgresql://localhost/app"
        UnitOfWork work = UnitOfWork.builder(url)
                .prepare(MigrationRunner.on(url).preparation()) // runs the scripts in db/migration once
                .build();
        work.run(tx -> {
            try (Statement statement = tx.connection().createStatement()) {
                statement.executeUpdate("INSERT INTO plan(name) VALUES ('mine')");
            }
        }); // in any thread; commits all of it, or nothing
        DataSource dataSource = EngineCache.shared().engine(url).dataSource(); // for Spring, Hibernate, Jdbi, jOOQ
        assertThat(Plans.count(dataSource)).isEqualTo(1);
        work.engine().close();
    }
}
