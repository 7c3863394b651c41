package dev.oneengine.recipes;

import static dev.oneengine.recipes.Plans.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.Engine;
import dev.oneengine.migration.MigrationRunner;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.SQLException;
import java.util.List;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.junit.jupiter.api.Test;

class HibernateRecipeTest extends Recipe {
    @Entity(name = "plan")
    static class Plan {
        @Id
        String name;

        Plan() {}

        Plan(String name) {
            this.name = name;
        }
    }

    @Test
    void hibernate() throws SQLException {
        Engine engine = cache.engine(url);
        MigrationRunner.on(engine).migrate(); // tables come from scripts, not from Hibernate
        try (SessionFactory sessions = new HibernatePersistenceConfiguration("app")
                .managedClass(Plan.class)
                .property(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, engine.dataSource())
                .createEntityManagerFactory()) {
            sessions.inTransaction(session -> session.persist(new Plan("first")));

            try (var reading = sessions.withOptions().readOnly(true).openSession()) { // needs no turn of a writer
                List<Plan> plans = reading.createQuery("from plan", Plan.class).getResultList();
                assertThat(plans).hasSize(1);
            }
        }
        assertThat(count(engine.dataSource())).isEqualTo(1);
    }
}
