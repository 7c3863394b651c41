package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineFactory;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSettings.Isolation;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Race.Outcome;
import dev.oneengine.testing.Sql;
import dev.oneengine.work.UnitOfWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each script runs once for all threads. */
class OnceTest extends TwoScripts {
    private static final EngineSettings SERIALIZABLE =
            EngineSettings.builder().isolation(Isolation.SERIALIZABLE).build();

    private static void assertAppliedOnce(Engine engine) throws SQLException {
        assertThat(Sql.query(engine.dataSource(), "SELECT count(*) FROM one")).isEqualTo("1");
        assertThat(Sql.query(engine.dataSource(), "SELECT count(*) FROM two")).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void threads_with_separate_runners_migrate_each_engine_once(Database database) throws Exception {
        List<String> urls = new ArrayList<>();
        for (int i = 0; i < (database == Database.POSTGRESQL ? 5 : 20); i++) {
            urls.add(database.newUrl(directory));
        }

        List<List<MigrationResult>> results = Race.run(16, index -> {
            List<String> mine = new ArrayList<>(urls);
            Collections.rotate(mine, index);
            List<MigrationResult> found = new ArrayList<>(Collections.nCopies(urls.size(), null));
            for (String url : mine) {
                found.set(urls.indexOf(url), on(url).migrate());
            }
            return found;
        });

        for (int i = 0; i < urls.size(); i++) {
            Set<MigrationResult> distinct = Collections.newSetFromMap(new java.util.IdentityHashMap<>());
            for (List<MigrationResult> found : results) {
                distinct.add(found.get(i));
            }
            assertThat(distinct).as(urls.get(i)).hasSize(1);
            assertThat(distinct.iterator().next().applied()).hasSize(2);
            assertAppliedOnce(cache.engine(urls.get(i)));
        }
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void all_threads_that_wait_for_a_failed_run_get_its_failure(Database database) throws Exception {
        scripts.script("V3__bad.sql", "INSERT INTO nowhere VALUES (1);");
        String url = database.url(directory);

        List<Outcome<MigrationResult>> outcomes = Race.outcomes(8, index -> on(url).migrate());

        assertThat(outcomes)
                .allSatisfy(outcome -> assertThat(outcome.failure())
                        .isInstanceOf(MigrationScriptException.class)
                        .hasMessageContaining("V3__bad.sql, line 1"));
        // Each thread gets a separate exception, so no thread sees what another one adds.
        assertThat(outcomes).extracting(Outcome::failure).doesNotHaveDuplicates();
        scripts.remove("V3__bad.sql");
        assertThat(on(url).migrate().applied()).hasSize(2);
        assertAppliedOnce(cache.engine(url));
    }

    @RepeatedTest(5)
    void caches_that_share_a_file_migrate_it_once() throws Exception {
        String url = Database.FILE.newUrl(directory);

        List<Integer> applied = Race.run(8, index -> {
            try (EngineCache own = EngineCache.create()) {
                return on(url).cache(own).migrate().applied().size();
            }
        });

        assertThat(applied.stream().mapToInt(Integer::intValue).sum()).isEqualTo(2);
        assertAppliedOnce(cache.engine(url));
    }

    /** A serialisable transaction does not see commits from its wait for a lock. */
    @RepeatedTest(3)
    void caches_that_share_a_server_migrate_a_database_once() throws Exception {
        migrateOnce(
                Database.POSTGRESQL.newUrl(directory) + "?options=-c%20default_transaction_isolation%3Dserializable",
                EngineCache::create);
    }

    @RepeatedTest(3)
    void caches_with_serialisable_settings_migrate_a_database_once() throws Exception {
        migrateOnce(
                Database.POSTGRESQL.newUrl(directory), () -> EngineCache.create(EngineFactory.pooled(), SERIALIZABLE));
    }

    @RepeatedTest(3)
    void caches_with_serialisable_pools_of_another_kind_migrate_a_database_once() throws Exception {
        migrateOnce(Database.POSTGRESQL.newUrl(directory), () -> EngineCache.create(UnknownPool::open, SERIALIZABLE));
    }

    private void migrateOnce(String url, Supplier<EngineCache> caches) throws Exception {
        scripts.script(
                "V1__one.sql", "CREATE TABLE one(name TEXT);\nINSERT INTO one VALUES ('V1');\nSELECT pg_sleep(0.2);");

        List<Integer> applied = Race.run(4, index -> {
            try (EngineCache own = caches.get()) {
                return on(url).cache(own).migrate().applied().size();
            }
        });

        assertThat(applied.stream().mapToInt(Integer::intValue).sum()).isEqualTo(2);
        assertAppliedOnce(cache.engine(url));
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void units_of_work_and_direct_calls_share_one_migration(Database database) throws Exception {
        String url = database.url(directory);

        List<String> seen = Race.run(8, index -> {
            if (index % 2 == 0) {
                return String.valueOf(on(url).migrate().applied().size());
            }
            UnitOfWork work = UnitOfWork.builder(url)
                    .cache(cache)
                    .prepare(on(url).preparation())
                    .build();
            return work.read(tx -> Sql.query(tx.connection(), "SELECT count(*) + 1 FROM two"));
        });

        assertThat(seen).containsOnly("2");
        assertAppliedOnce(cache.engine(url));
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void different_scripts_on_one_engine_run_one_after_the_other(Database database) throws Exception {
        Path other = Files.createDirectories(directory.resolve("other"));
        for (int i = 1; i <= 5; i++) {
            Files.writeString(other.resolve("V" + i + "__other.sql"), "CREATE TABLE other" + i + "(name TEXT);");
        }
        String url = database.url(directory);
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        MigrationListener listener = new MigrationListener() {
            @Override
            public void started(Migration migration, int position, int total) {
                heard.add(migration.description());
            }
        };

        Race.run(
                8,
                index -> index % 2 == 0
                        ? on(url).configure(OnceTest::besideOthers)
                                .listener(listener)
                                .migrate()
                        : on(url).locations("filesystem:" + other)
                                .configure(flyway -> flyway.table("other_history")
                                        .baselineOnMigrate(true)
                                        .baselineVersion("0"))
                                .listener(listener)
                                .migrate());

        assertThat(heard).hasSize(7);
        List<String> kinds = heard.stream()
                .map(description -> description.equals("other") ? "other" : "mine")
                .toList();
        assertThat(kinds)
                .as("the runs did not overlap")
                .isIn(
                        List.of("mine", "mine", "other", "other", "other", "other", "other"),
                        List.of("other", "other", "other", "other", "other", "mine", "mine"));
    }

    private static FluentConfiguration besideOthers(FluentConfiguration flyway) {
        return flyway.baselineOnMigrate(true).baselineVersion("0");
    }

    @Test
    void all_threads_see_the_migration_of_one_thread() throws Exception {
        String url = "sqlite:///:memory:";
        on(url).migrate();

        assertThat(new HashSet<>(Race.run(
                        8,
                        index -> Sql.query(
                                cache.engine(url).dataSource(), "SELECT group_concat(name) FROM sqlite_master"))))
                .hasSize(1)
                .allSatisfy(tables -> assertThat(tables).contains("one", "two"));
    }
}
