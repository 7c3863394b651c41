package dev.oneengine.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.migration.junit.CurrentFork;
import dev.oneengine.migration.junit.MigratedDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

class SpringTestRecipeTest {
    @Configuration
    static class TestDatabase {
        @Bean
        DataSource dataSource() {
            return CurrentFork.dataSource(); // always leads to the database of the running test
        }

        @Bean
        JdbcClient client(DataSource dataSource) {
            return JdbcClient.create(dataSource);
        }
    }

    @Nested
    @MigratedDatabase // in memory, migrated once with the scripts in db/migration, copied for each test method
    @SpringJUnitConfig(TestDatabase.class) // one context for all test classes that share this configuration
    class PlanTest {
        @Autowired
        JdbcClient client;

        @Test
        void a_plan_is_added() {
            client.sql("INSERT INTO plan(name) VALUES ('mine')").update();
            assertThat(count()).isEqualTo(1);
        }

        @Test
        void the_next_test_has_another_database() {
            assertThat(count()).isZero();
            client.sql("INSERT INTO plan(name) VALUES ('mine')").update();
        }

        private int count() {
            return client.sql("SELECT count(*) FROM plan").query(Integer.class).single();
        }
    }
}
