package dev.oneengine.migration.junit;

import dev.oneengine.cache.Preparation;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test of a class its own migrated database. The scripts run once for all tests with an equal annotation, and each test gets a
 * copy.
 *
 * <pre>{@code
 * @MigratedDatabase
 * class OrdersTest {
 *     @Test
 *     void a_unit_of_work_stores_an_order(UnitOfWork work) { ... }
 * }
 * }</pre>
 *
 * @see MigratedDatabaseExtension for the types of parameters, and for settings that an annotation cannot have
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@ExtendWith(MigratedDatabaseExtension.class)
public @interface MigratedDatabase {
    /**
     * Selects the kind of database: in memory, in a file, on a PostgreSQL server.
     *
     * @return a URL as for {@link dev.oneengine.migration.MigrationRunner#on(String)}
     */
    String url() default "sqlite:///:memory:";

    /**
     * Returns the locations of the scripts.
     *
     * @return locations as for {@link dev.oneengine.migration.MigrationRunner#locations}
     */
    String[] locations() default "classpath:db/migration";

    /**
     * Adds data for all tests, after the scripts.
     *
     * @return a class with a constructor without parameters, which is called once
     */
    Class<? extends Preparation.Action> seed() default NoSeed.class;
}
