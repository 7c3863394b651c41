package dev.oneengine.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.testing.Sql;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Lob;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.exception.ConstraintViolationException;
import org.hibernate.exception.GenericJDBCException;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;

/** Hibernate's sessions and transactions; the tables come from migrations. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HibernateTest extends OnEachDatabase {
    @Entity(name = "plan")
    static class Plan {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Integer id;

        @Version
        int version;

        String name;

        Plan() {}

        Plan(String name) {
            this.name = name;
        }
    }

    @Entity(name = "big_plan")
    static class BigPlan {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;
    }

    /** An entity with ids from a sequence; on SQLite, Hibernate emulates the sequence with a table. */
    @Entity(name = "numbered")
    static class Numbered {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        Long id;
    }

    @Entity(name = "document")
    static class Document {
        @Id
        String id;

        @JdbcTypeCode(SqlTypes.LONG32VARCHAR)
        String text;

        byte[] image;

        Document() {}

        Document(String id, String text) {
            this.id = id;
            this.text = text;
            this.image = text.getBytes(StandardCharsets.UTF_8);
        }
    }

    @Entity(name = "lob")
    static class LargeObject {
        @Id
        String id;

        @Lob
        byte[] image;
    }

    /** One folder for all tests: the engine outlives each of them. */
    @TempDir
    static Path folder;

    private SessionFactory sessions;

    /** Opens one engine and one session factory for all tests on a database, as a session factory is slow to build. */
    @BeforeEach
    @Override
    void openEngine() throws SQLException {
        if (sessions == null) {
            directory = folder;
            super.openEngine();
            openSessions();
        }
        Sql.execute(
                dataSource,
                "DELETE FROM item",
                "DELETE FROM plan",
                "DELETE FROM numbered",
                "DELETE FROM document",
                "DELETE FROM lob");
    }

    private void openSessions() {
        MigrationRunner.on(engine)
                .locations("classpath:db/hibernate/" + (isSqlite() ? "sqlite" : "postgresql"))
                .configure(flyway -> flyway.baselineOnMigrate(true).baselineVersion("0"))
                .migrate();
        sessions = sessions("none", Plan.class, BigPlan.class, Numbered.class, Document.class, LargeObject.class);
    }

    private SessionFactory sessions(String schema, Class<?>... entities) {
        HibernatePersistenceConfiguration configuration = new HibernatePersistenceConfiguration("test");
        configuration.managedClasses(entities);
        configuration.property(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, dataSource);
        configuration.property(AvailableSettings.JAKARTA_HBM2DDL_DATABASE_ACTION, schema);
        configuration.property(AvailableSettings.STATEMENT_BATCH_SIZE, 10);
        return configuration.createEntityManagerFactory();
    }

    @AfterEach
    @Override
    void closeEngine() {
        // The next test reuses the engine.
    }

    @AfterParameterizedClassInvocation
    void closeAll() {
        sessions.close();
        sessions = null; // JUnit reuses this instance for the next database
        super.closeEngine();
    }

    private int persist(String name) {
        Plan plan = new Plan(name);
        sessions.inTransaction(session -> session.persist(plan));
        return plan.id;
    }

    private long count() {
        return sessions.fromSession(session -> session.createSelectionQuery("select count(*) from plan", Long.class)
                .getSingleResult());
    }

    @Test
    void starting_hibernate_leaves_connections_usable() throws SQLException {
        assertThat(sessions.fromSession(Session::isConnected)).isTrue();
        assertThat(names()).isEmpty();
    }

    @Test
    void validation_accepts_integer_ids() {
        sessions("validate", Plan.class, Document.class).close();
    }

    @Test
    void validation_rejects_long_identity_ids_of_sqlite() {
        if (isSqlite()) {
            assertThatThrownBy(() -> sessions("validate", BigPlan.class))
                    .hasStackTraceContaining("wrong column type encountered in column [id]");
        } else {
            sessions("validate", BigPlan.class).close();
        }
    }

    @Test
    void a_transaction_commits_or_rolls_back() {
        sessions.inTransaction(session -> session.persist(new Plan("a")));
        assertThatThrownBy(() -> sessions.inTransaction(session -> {
                    session.persist(new Plan("b"));
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        EntityManager manager = sessions.createEntityManager();
        manager.getTransaction().begin();
        manager.persist(new Plan("c"));
        manager.getTransaction().setRollbackOnly();
        manager.getTransaction().commit();
        manager.close();
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void a_session_holds_no_lock_between_its_transactions() throws SQLException {
        try (Session session = sessions.openSession()) {
            session.inTransaction(transaction -> session.persist(new Plan("a")));
            Sql.execute(dataSource, insertion("b"));
            session.inTransaction(transaction -> session.persist(new Plan("c")));
            Sql.execute(dataSource, insertion("d"));
        }
        assertThat(count()).isEqualTo(2);
        assertThat(names()).containsExactly("b", "d");
    }

    @Test
    void reading_outside_a_transaction_holds_no_lock() throws SQLException {
        int id = persist("a");
        try (Session session = sessions.openSession()) {
            assertThat(session.find(Plan.class, id).name).isEqualTo("a");
            Sql.execute(dataSource, insertion("b"));
        }
        assertThat(names()).containsExactly("b");
    }

    @Test
    void identity_generates_ids() {
        sessions.inTransaction(session -> {
            Plan first = new Plan("a");
            Plan second = new Plan("b");
            session.persist(first);
            session.persist(second);
            assertThat(second.id).isEqualTo(first.id + 1);
        });
    }

    @Test
    void sequences_fail_at_once_inside_a_transaction_of_sqlite() {
        // Uses a new factory, because the shared one may still hold reserved ids.
        try (SessionFactory fresh = sessions("none", Plan.class, Numbered.class)) {
            fresh.inTransaction(session -> {
                session.persist(new Plan("a"));
                if (isSqlite()) {
                    SelfWait.assertRejected(engine, () -> session.persist(new Numbered()));
                } else {
                    session.persist(new Numbered());
                }
            });
        }
        assertThat(count()).isEqualTo(isSqlite() ? 0 : 1); // Hibernate rolls back after a failure
    }

    @Test
    void sequences_work_before_the_first_statement() {
        try (SessionFactory fresh = sessions("none", Plan.class, Numbered.class)) {
            fresh.inTransaction(session -> {
                session.persist(new Numbered());
                session.persist(new Plan("a"));
            });
        }
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void inserts_with_assigned_ids_are_batched() {
        sessions.inTransaction(session -> {
            for (int i = 0; i < 25; i++) {
                session.persist(new Document("document " + i, "text"));
            }
        });
        long documents = sessions.fromSession(
                session -> session.createSelectionQuery("select count(*) from document", Long.class)
                        .getSingleResult());
        assertThat(documents).isEqualTo(25);
    }

    @Test
    void long_texts_and_bytes_are_stored() {
        sessions.inTransaction(session -> session.persist(new Document("a", "text")));
        sessions.inTransaction(session -> {
            Document document = session.find(Document.class, "a");
            assertThat(document.text).isEqualTo("text");
            assertThat(document.image).hasSize(4);
        });
    }

    @Test
    void binary_lobs_cannot_be_read_on_sqlite() {
        sessions.inTransaction(session -> {
            LargeObject large = new LargeObject();
            large.id = "a";
            large.image = new byte[] {1, 2};
            session.persist(large);
        });
        if (isSqlite()) {
            assertThatThrownBy(() -> sessions.inTransaction(session -> session.find(LargeObject.class, "a")))
                    .isInstanceOf(GenericJDBCException.class);
        } else {
            sessions.inTransaction(session ->
                    assertThat(session.find(LargeObject.class, "a").image).hasSize(2));
        }
    }

    @Test
    void a_read_only_session_sets_no_lock() throws SQLException {
        int id = persist("a");
        try (Session first = sessions.withOptions().readOnly(true).openSession();
                Session second = sessions.withOptions().readOnly(true).openSession()) {
            first.inTransaction(outer -> {
                assertThat(first.find(Plan.class, id).name).isEqualTo("a");
                second.inTransaction(
                        inner -> assertThat(second.find(Plan.class, id).name).isEqualTo("a"));
            });
        }
        Sql.execute(dataSource, insertion("b"));
    }

    @Test
    void a_stale_entity_is_rejected() {
        Plan plan = new Plan("a");
        sessions.inTransaction(session -> session.persist(plan));
        sessions.inTransaction(session -> session.find(Plan.class, plan.id).name = "b");
        plan.name = "c";
        assertThatThrownBy(() -> sessions.inTransaction(session -> session.merge(plan)))
                .isInstanceOf(OptimisticLockException.class);
        sessions.inTransaction(
                session -> assertThat(session.find(Plan.class, plan.id).name).isEqualTo("b"));
    }

    @Test
    void a_violated_constraint_is_translated_only_on_postgresql() {
        sessions.inTransaction(session -> session.persist(new Plan("a")));
        assertThatThrownBy(() -> sessions.inTransaction(session -> session.persist(new Plan("a"))))
                .isInstanceOf(isSqlite() ? GenericJDBCException.class : ConstraintViolationException.class);
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void a_second_session_fails_at_once_on_sqlite() {
        Consumer<Session> other = session -> session.persist(new Plan("b"));
        sessions.inTransaction(session -> {
            session.persist(new Plan("a"));
            if (isSqlite()) {
                SelfWait.assertRejected(engine, () -> sessions.inTransaction(other));
            } else {
                sessions.inTransaction(other);
            }
        });
        assertThat(count()).isEqualTo(isSqlite() ? 1 : 2);
    }

    @Test
    void bulk_statements_and_native_queries_are_part_of_the_transaction() {
        sessions.inTransaction(session -> {
            session.persist(new Plan("a"));
            session.persist(new Plan("b"));
            assertThat(session.createMutationQuery("update plan set name = name || '!'")
                            .executeUpdate())
                    .isEqualTo(2);
            assertThat(session.createNativeMutationQuery("DELETE FROM plan WHERE name = 'a!'")
                            .executeUpdate())
                    .isEqualTo(1);
        });
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void a_result_stream_is_read_while_the_transaction_writes() {
        sessions.inTransaction(session -> {
            for (int i = 0; i < 10; i++) {
                session.persist(new Plan("plan " + i));
            }
            session.flush();
            try (Stream<Plan> plans = session.createSelectionQuery("from plan order by id", Plan.class)
                    .setFetchSize(2)
                    .getResultStream()) {
                plans.limit(10).forEach(plan -> {
                    plan.name = "new " + plan.name;
                    session.flush();
                });
            }
        });
        assertThat(count()).isEqualTo(10);
    }

    @Test
    void a_stateless_session_works() {
        try (StatelessSession session = sessions.openStatelessSession()) {
            session.beginTransaction();
            session.insert(new Plan("a"));
            session.getTransaction().commit();
            session.beginTransaction();
            session.insert(new Plan("b"));
            session.getTransaction().rollback();
        }
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void a_pessimistic_lock_takes_the_write_lock_on_sqlite() {
        int id = persist("a");
        sessions.inTransaction(session -> {
            Plan plan = session.find(Plan.class, id, jakarta.persistence.LockModeType.PESSIMISTIC_WRITE);
            plan.name = "b";
        });
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void a_failed_flush_rolls_back_all_changes() {
        assertThatThrownBy(() -> sessions.inTransaction(session -> {
                    session.persist(new Plan("a"));
                    session.persist(new Plan(null));
                }))
                .isInstanceOf(PersistenceException.class);
        assertThat(count()).isZero();
        sessions.inTransaction(session -> session.persist(new Plan("a")));
        assertThat(count()).isEqualTo(1);
    }
}
