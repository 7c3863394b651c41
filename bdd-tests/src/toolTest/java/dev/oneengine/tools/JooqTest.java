package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jooq.Cursor;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.exception.DataAccessException;
import org.jooq.exception.IntegrityConstraintViolationException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.tools.jdbc.JDBCUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** jOOQ's statements and transactions. */
class JooqTest extends OnEachDatabase {
    private static final Table<Record> ITEM = table(name("item"));
    private static final Field<Long> ID = field(name("id"), SQLDataType.BIGINT);
    private static final Field<String> NAME = field(name("name"), SQLDataType.VARCHAR);

    private DSLContext dsl;

    @BeforeEach
    void createContext() {
        dsl = DSL.using(dataSource, isSqlite() ? SQLDialect.SQLITE : SQLDialect.POSTGRES);
    }

    private static void insert(DSLContext context, String name) {
        context.insertInto(ITEM, NAME).values(name).execute();
    }

    @Test
    void the_dialect_is_recognised() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            assertThat(JDBCUtils.dialect(connection)).isEqualTo(dsl.dialect());
        }
    }

    @Test
    void a_transaction_commits_or_rolls_back() throws SQLException {
        dsl.transaction(transaction -> insert(transaction.dsl(), "a"));
        assertThatThrownBy(() -> dsl.transaction(transaction -> {
                    insert(transaction.dsl(), "b");
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        assertThat(names()).containsExactly("a");
    }

    @Test
    void a_nested_transaction_is_a_savepoint() throws SQLException {
        dsl.transaction(outer -> {
            insert(outer.dsl(), "a");
            assertThatThrownBy(() -> outer.dsl().transaction(middle -> {
                        insert(middle.dsl(), "b");
                        middle.dsl().transaction(inner -> insert(inner.dsl(), "c"));
                        throw new IllegalStateException();
                    }))
                    .isInstanceOf(IllegalStateException.class);
            outer.dsl().transaction(middle -> insert(middle.dsl(), "d"));
        });
        assertThat(names()).containsExactly("a", "d");
    }

    @Test
    void the_outer_context_fails_at_once_inside_a_transaction_of_sqlite() throws SQLException {
        dsl.transaction(transaction -> {
            insert(transaction.dsl(), "a");
            if (isSqlite()) {
                SelfWait.assertRejected(engine, () -> insert(dsl, "b"));
            } else {
                insert(dsl, "b");
            }
        });
        assertThat(names()).hasSize(isSqlite() ? 1 : 2);
    }

    @Test
    void generated_keys_are_returned_for_single_rows() {
        for (long expected = 1; expected <= 3; expected++) {
            Record1<Long> key = dsl.insertInto(ITEM, NAME)
                    .values("item " + expected)
                    .returningResult(ID)
                    .fetchSingle();
            assertThat(key.value1()).isEqualTo(expected);
        }
    }

    @Test
    void sqlite_returns_the_last_of_several_generated_keys() {
        List<Long> keys = dsl.insertInto(ITEM, NAME)
                .values("a")
                .values("b")
                .returningResult(ID)
                .fetch(ID);
        assertThat(keys).isEqualTo(isSqlite() ? List.of(2L) : List.of(1L, 2L));
        List<Long> plain = dsl.resultQuery("INSERT INTO item(name) VALUES ('c'), ('d') RETURNING id")
                .fetch(0, Long.class);
        assertThat(plain).containsExactly(3L, 4L);
    }

    @Test
    void batches_are_part_of_the_transaction() throws SQLException {
        dsl.transaction(transaction -> {
            int[] counts = transaction
                    .dsl()
                    .batch(transaction.dsl().insertInto(ITEM, NAME).values((String) null))
                    .bind("a")
                    .bind("b")
                    .execute();
            assertThat(counts).containsExactly(1, 1);
        });
        assertThatThrownBy(() -> dsl.transaction(transaction -> transaction
                        .dsl()
                        .batch(transaction.dsl().insertInto(ITEM, NAME).values((String) null))
                        .bind("c")
                        .bind("c")
                        .execute()))
                .isInstanceOf(DataAccessException.class);
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void a_cursor_is_read_while_the_transaction_writes() throws SQLException {
        dsl.transaction(transaction -> {
            DSLContext context = transaction.dsl();
            insert(context, "a");
            insert(context, "b");
            try (Cursor<Record1<String>> names =
                    context.select(NAME).from(ITEM).orderBy(NAME).fetchSize(1).fetchLazy()) {
                for (Record1<String> name : names.fetchNext(2)) {
                    insert(context, "copy of " + name.value1());
                }
            }
        });
        assertThat(names()).hasSize(4);
    }

    @Test
    void a_violated_constraint_is_translated() {
        insert(dsl, "a");
        assertThatThrownBy(() -> insert(dsl, "a")).isInstanceOf(IntegrityConstraintViolationException.class);
    }

    @Test
    void metadata_lists_the_table() {
        assertThat(dsl.meta().getTables("item")).hasSize(1);
        assertThat(dsl.meta().getTables("item").get(0).field("name")).isNotNull();
    }

    @Test
    void a_read_only_connection_serves_a_context() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setReadOnly(true);
            DSLContext reader = DSL.using(connection, dsl.dialect());
            reader.transaction(transaction -> assertThat(transaction
                            .dsl()
                            .select(count())
                            .from(ITEM)
                            .fetchSingle()
                            .value1())
                    .isZero());
            assertThatThrownBy(() -> reader.transaction(transaction -> insert(transaction.dsl(), "a")))
                    .isInstanceOf(DataAccessException.class);
        }
        insert(dsl, "b");
        assertThat(names()).containsExactly("b");
    }
}
