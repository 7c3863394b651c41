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
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.orm.jpa.JpaSystemException;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;

/** A Spring Boot application with Spring Data JPA, whose DataSource bean is that of an engine. */
class BootJpaTest extends OnEachDatabase {
    interface Items extends JpaRepository<Item, Integer> {
        @Modifying
        @Query(value = "DELETE FROM item", nativeQuery = true)
        void deleteEverything();
    }

    record Added(String name) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableJpaRepositories(considerNestedRepositories = true)
    static class Application {
        @Bean
        PersistenceManagedTypes types() {
            return PersistenceManagedTypes.of(Item.class.getName());
        }

        @Bean
        Shop shop(Items items, Log log, ApplicationEventPublisher events) {
            return new Shop(items, log, events);
        }

        @Bean
        Log log(Items items) {
            return new Log(items);
        }
    }

    static class Shop {
        private final Items items;
        private final Log log;
        private final ApplicationEventPublisher events;

        Shop(Items items, Log log, ApplicationEventPublisher events) {
            this.items = items;
            this.log = log;
            this.events = events;
        }

        @Transactional
        public void add(String name) {
            items.save(new Item(name));
        }

        @Transactional
        public void addAndFail(String name) {
            items.saveAndFlush(new Item(name));
            throw new IllegalStateException("broken");
        }

        @Transactional
        public void addAndLog(String name) {
            items.save(new Item(name));
            log.write("log of " + name);
        }

        @Transactional
        public void addAndPublish(String name) {
            items.save(new Item(name));
            events.publishEvent(new Added(name));
        }

        @Transactional(readOnly = true)
        public void changeReadOnly() {
            items.findAll().forEach(item -> item.name = "changed");
        }

        @Transactional(readOnly = true)
        public void deleteReadOnly() {
            items.deleteEverything();
        }
    }

    static class Log {
        private final Items items;

        Log(Items items) {
            this.items = items;
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void write(String text) {
            items.save(new Item(text));
        }

        @TransactionalEventListener
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void added(Added event) {
            items.save(new Item("event of " + event.name()));
        }
    }

    private ConfigurableApplicationContext application;
    private Shop shop;
    private Items items;

    @BeforeEach
    void start() {
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        application = new SpringApplicationBuilder(Application.class)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.main.register-shutdown-hook=false",
                        "spring.jpa.open-in-view=false")
                .initializers(
                        (GenericApplicationContext context) -> context.registerBean(DataSource.class, () -> dataSource))
                .run();
        shop = application.getBean(Shop.class);
        items = application.getBean(Items.class);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void repositories_and_services_commit_or_roll_back() throws SQLException {
        items.save(new Item("a"));
        shop.add("b");
        assertThatThrownBy(() -> shop.addAndFail("c")).hasMessage("broken");
        assertThat(items.count()).isEqualTo(2);
        assertThat(names()).containsExactly("a", "b");
        assertThatThrownBy(() -> items.save(new Item("a")))
                .isInstanceOf(isSqlite() ? JpaSystemException.class : DataIntegrityViolationException.class);
    }

    @Test
    void a_read_only_service_changes_nothing() throws SQLException {
        items.save(new Item("a"));
        shop.changeReadOnly();
        assertThatThrownBy(shop::deleteReadOnly).isInstanceOf(DataAccessException.class);
        assertThat(names()).containsExactly("a");
        shop.add("b");
    }

    @Test
    void requires_new_fails_at_once_on_sqlite_but_works_after_the_commit() throws SQLException {
        if (isSqlite()) {
            SelfWait.assertRejected(engine, () -> shop.addAndLog("a"));
        } else {
            shop.addAndLog("a");
        }
        shop.addAndPublish("b");
        assertThat(names()).contains("b", "event of b").hasSize(isSqlite() ? 2 : 4);
    }
}
