package dev.oneengine.recipes;

import static dev.oneengine.recipes.Plans.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.DatabaseUrl;
import dev.oneengine.cache.Engine;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.work.UnitOfWork;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;

class JooqRecipeTest extends Recipe {
    private static final Table<Record> PLAN = DSL.table(DSL.name("plan"));
    private static final Field<String> NAME = DSL.field(DSL.name("name"), SQLDataType.VARCHAR);

    @Test
    void jooq() throws SQLException {
        MigrationRunner.on(url).cache(cache).migrate();

        Engine engine = cache.engine(url);
        SQLDialect dialect =
                engine.url().kind() == DatabaseUrl.Kind.POSTGRESQL ? SQLDialect.POSTGRES : SQLDialect.SQLITE;
        DSLContext dsl = DSL.using(engine.dataSource(), dialect);
        dsl.transaction(transaction ->
                transaction.dsl().insertInto(PLAN, NAME).values("first").execute());

        UnitOfWork work = UnitOfWork.on(engine);
        work.run(tx -> DSL.using(tx.connection(), dialect)
                .insertInto(PLAN, NAME)
                .values("second")
                .execute());

        assertThat(count(engine.dataSource())).isEqualTo(2);
    }
}
