package dev.oneengine.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.work.UnitOfWork;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class AnyDatabaseRecipeTest extends Recipe {
    static final class PlanStore {
        private final UnitOfWork work;

        PlanStore(EngineCache cache, String url) { // the only place that knows the database
            work = UnitOfWork.builder(url)
                    .cache(cache)
                    .prepare(MigrationRunner.on(url).cache(cache).preparation())
                    .build();
        }

        void add(String name) throws SQLException {
            work.run(tx -> Plans.insert(tx.connection(), name));
        }

        int count() throws SQLException {
            return work.read(tx -> Plans.count(tx.connection()));
        }
    }

    @Test
    void the_same_code_runs_on_each_database() throws SQLException {
        PlanStore store = new PlanStore(cache, url);
        store.add("first");
        assertThat(store.count()).isEqualTo(1);
    }
}
