package dev.oneengine.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineClosedException;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Race;
import dev.oneengine.work.UnitOfWork;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;

@Timeout(60)
@ParameterizedClass
@EnumSource(Database.class)
class SpringBootRecipeTest {
    @Configuration
    static class DatabaseConfiguration {
        @Bean
        EngineCache engineCache() {
            return EngineCache.create(); // Spring closes it, and with it all engines
        }

        @Bean
        DataSource dataSource(EngineCache cache, @Value("${app.url}") String url) {
            MigrationRunner.on(url).cache(cache).migrate();
            return cache.engine(url).dataSource();
        }

        @Bean
        UnitOfWork unitOfWork(EngineCache cache, @Value("${app.url}") String url) {
            return UnitOfWork.builder(url).cache(cache).build();
        }
    }

    static class PlanService {
        private final JdbcClient client;
        private final ApplicationEventPublisher events;

        PlanService(JdbcClient client, ApplicationEventPublisher events) {
            this.client = client;
            this.events = events;
        }

        @Transactional
        public void add(String name) {
            client.sql("INSERT INTO plan(name) VALUES (?)").param(name).update();
            events.publishEvent(new PlanAdded(name));
        }

        @Transactional(readOnly = true) // readers run side by side; all other transactions are writers
        public int count() {
            return client.sql("SELECT count(*) FROM plan").query(Integer.class).single();
        }

        @Transactional(readOnly = true)
        public void writeReadOnly() {
            client.sql("DELETE FROM plan").update();
        }
    }

    record PlanAdded(String name) {}

    static class Audit {
        private final JdbcClient client;

        Audit(JdbcClient client) {
            this.client = client;
        }

        @TransactionalEventListener // after the commit, so on SQLite the writer's turn is free
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void added(PlanAdded event) {
            client.sql("INSERT INTO plan(name) VALUES (?)")
                    .param("audit of " + event.name())
                    .update();
        }
    }

    static class Budget {
        private final JdbcClient client;
        private final CyclicBarrier bothHaveCounted = new CyclicBarrier(2);
        private final AtomicInteger attempts = new AtomicInteger();

        Budget(JdbcClient client) {
            this.client = client;
        }

        @Retryable(includes = ConcurrencyFailureException.class, maxRetries = 10, delay = 10, jitter = 10)
        @Transactional(isolation = Isolation.SERIALIZABLE) // one of two that conflict fails, and runs again
        public void addIfEmpty(String name) {
            if (count() == 0) {
                client.sql("INSERT INTO plan(name) VALUES (?)").param(name).update();
            }
        }

        private int count() {
            int plans =
                    client.sql("SELECT count(*) FROM plan").query(Integer.class).single();
            if (attempts.incrementAndGet() <= 2) {
                meet(bothHaveCounted);
            }
            return plans;
        }

        private static void meet(CyclicBarrier barrier) {
            try {
                barrier.await(10, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        public int attempts() {
            return attempts.get();
        }
    }

    @Configuration
    @EnableAutoConfiguration(
            exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
    @EnableResilientMethods
    @Import({DatabaseConfiguration.class, PlanService.class, Audit.class, Budget.class})
    static class Application {}

    @Parameter
    Database database;

    @TempDir
    Path directory;

    private ConfigurableApplicationContext application;

    @BeforeEach
    void start() throws SQLException {
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        application = new SpringApplicationBuilder(Application.class)
                .properties("spring.main.banner-mode=off", "spring.main.register-shutdown-hook=false")
                .properties("app.url=" + database.url(directory))
                .run();
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void services_and_listeners_use_the_migrated_database() {
        PlanService plans = application.getBean(PlanService.class);

        plans.add("first");

        assertThat(plans.count()).isEqualTo(2);
        assertThatThrownBy(plans::writeReadOnly).isInstanceOf(DataAccessException.class);
        assertThat(plans.count()).isEqualTo(2);
    }

    @Test
    void units_of_work_use_the_same_database() throws SQLException {
        UnitOfWork work = application.getBean(UnitOfWork.class);

        work.run(tx -> JdbcClient.create(tx.dataSource())
                .sql("INSERT INTO plan(name) VALUES ('by a unit')")
                .update());

        assertThat(application.getBean(PlanService.class).count()).isEqualTo(1);
    }

    @Test
    void closing_the_application_closes_the_engine() {
        EngineCache cache = application.getBean(EngineCache.class);
        application.close();
        assertThatThrownBy(() -> cache.engine("sqlite:///:memory:")).isInstanceOf(EngineClosedException.class);
    }

    @Test
    void serializable_transactions_of_postgresql_are_retried() {
        if (database != Database.POSTGRESQL) {
            return; // SQLite has one writer, so the two threads would not meet
        }
        Budget budget = application.getBean(Budget.class);
        Race.run(2, index -> {
            budget.addIfEmpty("plan " + index);
            return index;
        });

        assertThat(application.getBean(PlanService.class).count()).isEqualTo(1);
        assertThat(budget.attempts()).isGreaterThan(2);
    }
}
