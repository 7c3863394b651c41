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
 * Gives each test of a class a migrated database of its own. It is migrated once for all tests that ask for the same, and copied
 * for each.
 *
 * <pre>{@code
 * @MigratedDatabase
 * class OrdersTest {
 *     @Test
 *     void an_order_is_kept(UnitOfWork work) { ... }
 * }
 * }</pre>
 *
 * @see MigratedDatabaseExtension for what tests can have as a parameter, and for what cannot be said in an annotation
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@ExtendWith(MigratedDatabaseExtension.class)
public @interface MigratedDatabase {
    /**
     * What kind of database it is: in memory, in a file, on a PostgreSQL server.
     *
     * @return a URL as for {@link dev.oneengine.migration.MigrationRunner#on(String)}
     */
    String url() default "sqlite:///:memory:";

    /**
     * Where the scripts are.
     *
     * @return locations as for {@link dev.oneengine.migration.MigrationRunner#locations}
     */
    String[] locations() default "classpath:db/migration";

    /**
     * What all tests find in the database beside what the scripts put there.
     *
     * @return a class with a constructor without parameters
     */
    Class<? extends Preparation.Action> seed() default NoSeed.class;
}
