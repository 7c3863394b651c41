package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A Spring Boot application whose DataSource bean is that of an engine. */
class BootTest extends OnEachDatabase {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
    static class Application {
        @Bean
        Shop shop(JdbcClient client, Log log) {
            return new Shop(client, log);
        }

        @Bean
        Log log(JdbcClient client) {
            return new Log(client);
        }

        /** Starts Boot without its banner and its logging system, which would take over that of the tests. */
        static ConfigurableApplicationContext start(DataSource dataSource, String... properties) {
            System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
            return new SpringApplicationBuilder(Application.class)
                    .properties("spring.main.banner-mode=off", "spring.main.register-shutdown-hook=false")
                    .properties(properties)
                    .initializers((GenericApplicationContext context) ->
                            context.registerBean(DataSource.class, () -> dataSource))
                    .run();
        }
    }

    static class Shop {
        private final JdbcClient client;
        private final Log log;

        Shop(JdbcClient client, Log log) {
            this.client = client;
            this.log = log;
        }

        @Transactional
        public void add(String name) {
            client.sql("INSERT INTO item(name) VALUES (?)").param(name).update();
        }

        @Transactional
        public void addAndFail(String name) {
            add(name);
            throw new IllegalStateException("broken");
        }

        @Transactional
        public void addAndLog(String name) {
            add(name);
            log.write("log of " + name);
        }

        @Transactional(readOnly = true)
        public int count() {
            return client.sql("SELECT count(*) FROM item").query(Integer.class).single();
        }

        @Transactional(readOnly = true)
        public void addReadOnly(String name) {
            client.sql("INSERT INTO item(name) VALUES (?)").param(name).update();
        }
    }

    static class Log {
        private final JdbcClient client;

        Log(JdbcClient client) {
            this.client = client;
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void write(String text) {
            client.sql("INSERT INTO item(name) VALUES (?)").param(text).update();
        }
    }

    private ConfigurableApplicationContext application;
    private Shop shop;

    @BeforeEach
    void start() {
        application = Application.start(dataSource);
        shop = application.getBean(Shop.class);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void boot_uses_the_data_source_unchanged() {
        assertThat(application.getBean(DataSource.class)).isSameAs(dataSource);
        assertThat(application.getBeansOfType(PlatformTransactionManager.class)).hasSize(1);
    }

    @Test
    void a_transactional_method_commits_or_rolls_back() throws SQLException {
        shop.add("a");
        assertThatThrownBy(() -> shop.addAndFail("b")).hasMessage("broken");
        assertThat(shop.count()).isEqualTo(1);
        assertThat(names()).containsExactly("a");
    }

    @Test
    void a_read_only_method_cannot_write() throws SQLException {
        assertThatThrownBy(() -> shop.addReadOnly("a")).isInstanceOf(DataAccessException.class);
        shop.add("b");
        assertThat(names()).containsExactly("b");
    }

    @Test
    void a_requires_new_method_fails_at_once_on_sqlite() throws SQLException {
        if (isSqlite()) {
            SelfWait.assertRejected(engine, () -> shop.addAndLog("a"));
            assertThat(names()).isEmpty();
        } else {
            shop.addAndLog("a");
            assertThat(names()).containsExactly("a", "log of a");
        }
    }

    @Test
    void sql_scripts_of_boot_run_at_startup() throws SQLException {
        application.close();
        application = Application.start(
                dataSource,
                "spring.sql.init.mode=always",
                "spring.sql.init.schema-locations=classpath:db/boot/schema.sql");
        assertThat(names()).containsExactly("from a script");
    }

    @Test
    void closing_the_application_leaves_the_engine_open() throws SQLException {
        shop.add("a");
        application.close();
        assertThat(engine.isClosed()).isFalse();
        assertThat(names()).containsExactly("a");
    }
}
