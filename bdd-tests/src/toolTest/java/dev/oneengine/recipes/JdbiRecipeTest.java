package dev.oneengine.recipes;

import static dev.oneengine.recipes.Plans.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.Engine;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.work.UnitOfWork;
import java.sql.SQLException;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

class JdbiRecipeTest extends Recipe {
    @Test
    void jdbi() throws SQLException {
        MigrationRunner.on(url).cache(cache).migrate();

        Engine engine = cache.engine(url);
        Jdbi jdbi = Jdbi.create(engine.dataSource());
        jdbi.useTransaction(handle -> handle.execute("INSERT INTO plan(name) VALUES (?)", "first"));

        UnitOfWork work = UnitOfWork.on(engine);
        work.run(tx -> Jdbi.create(tx.connection())
                .useHandle(handle -> handle.execute("INSERT INTO plan(name) VALUES (?)", "second")));

        assertThat(count(engine.dataSource())).isEqualTo(2);
    }
}
