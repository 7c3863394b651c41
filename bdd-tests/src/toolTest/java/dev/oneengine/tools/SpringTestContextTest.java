package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.Engine;
import dev.oneengine.migration.junit.CurrentFork;
import dev.oneengine.migration.junit.MigratedDatabase;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** One cached context of Spring, and a fresh migrated database for each test method. */
class SpringTestContextTest {
    /** The contexts that the tests of this class have seen. */
    private static final Set<ApplicationContext> CONTEXTS = ConcurrentHashMap.newKeySet();

    @Configuration
    @EnableTransactionManagement
    static class Application {
        @Bean
        DataSource dataSource() {
            return CurrentFork.dataSource();
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        /** Reads the database during the start of the context, as many libraries do. */
        @Bean
        Items items(DataSource dataSource) {
            Items items = new Items(new JdbcTemplate(dataSource));
            assertThat(items.count()).isEqualTo(1);
            return items;
        }

        @Bean(destroyMethod = "shutdown")
        ExecutorService background() {
            return Executors.newSingleThreadExecutor();
        }
    }

    static class Items {
        private final JdbcTemplate template;

        Items(JdbcTemplate template) {
            this.template = template;
        }

        @Transactional
        public void add(String name) {
            template.update("INSERT INTO item(name) VALUES (?)", name);
        }

        int count() {
            return template.queryForObject("SELECT count(*) FROM item", Integer.class);
        }
    }

    @MigratedDatabase(locations = "classpath:db/fork")
    @SpringJUnitConfig(Application.class)
    @Retention(RetentionPolicy.RUNTIME)
    @interface ApplicationTest {}

    @ApplicationTest
    abstract static class WithContext {
        @Autowired
        private ApplicationContext context;

        @Autowired
        Items items;

        @BeforeEach
        void contextIsCached() {
            CONTEXTS.add(context);
            assertThat(CONTEXTS).hasSize(1);
        }
    }

    @Nested
    class Writing extends WithContext {
        @RepeatedTest(3)
        void each_method_has_a_fresh_database() {
            assertThat(items.count()).isEqualTo(1);
            items.add("mine");
            assertThat(items.count()).isEqualTo(2);
        }

        @Test
        void parameters_have_the_same_database_as_the_context(Engine engine) {
            items.add("mine");
            assertThat(new JdbcTemplate(engine.dataSource()).queryForObject("SELECT count(*) FROM item", Integer.class))
                    .isEqualTo(2);
        }

        @Test
        void threads_of_the_application_use_the_database_of_the_test(@Autowired ExecutorService background)
                throws ExecutionException, InterruptedException {
            background.submit(() -> items.add("mine")).get();
            assertThat(items.count()).isEqualTo(2);
        }
    }

    /** Another class with the same context. */
    @Nested
    class InATransaction extends WithContext {
        @RepeatedTest(2)
        @Transactional
        void a_test_may_run_in_a_spring_transaction() {
            assertThat(items.count()).isEqualTo(1);
            items.add("mine");
            assertThat(items.count()).isEqualTo(2);
        }
    }
}
