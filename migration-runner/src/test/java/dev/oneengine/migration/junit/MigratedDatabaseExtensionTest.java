package dev.oneengine.migration.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.Preparation;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.testing.Sql;
import dev.oneengine.work.UnitOfWork;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.sqlite.SQLiteDataSource;

class MigratedDatabaseExtensionTest {
    private static final List<Engine> FORKS = new CopyOnWriteArrayList<>();
    private static final AtomicInteger SEEDED = new AtomicInteger();
    private static final List<Path> TEMPLATES = new CopyOnWriteArrayList<>();

    @BeforeEach
    void forget() {
        FORKS.clear();
        TEMPLATES.clear();
        SEEDED.set(0);
    }

    private static Events run(Class<?>... classes) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
                .selectors(java.util.Arrays.stream(classes)
                        .map(type -> selectClass(type))
                        .toArray(org.junit.platform.engine.DiscoverySelector[]::new))
                .execute()
                .testEvents();
    }

    private static String plans(DataSource dataSource) throws SQLException {
        return Sql.query(dataSource, "SELECT count(*) FROM plan");
    }

    @Tag("fixture")
    @MigratedDatabase
    static class Parameters {
        private final Engine ofConstructor;
        private Engine ofSetUp;

        Parameters(Engine engine) {
            ofConstructor = engine;
        }

        @BeforeEach
        void setUp(Engine engine) {
            ofSetUp = engine;
        }

        @Test
        void all_parameters_have_the_same_database(
                Engine engine, DataSource dataSource, UnitOfWork work, MigrationRunner runner) throws SQLException {
            work.run(tx -> Sql.execute(tx.connection(), "INSERT INTO plan(name) VALUES ('mine')"));
            assertThat(plans(dataSource)).isEqualTo("2");
            assertThat(ofConstructor).isSameAs(engine);
            assertThat(ofSetUp).isSameAs(engine);
            assertThat(work.engine()).isSameAs(engine);
            assertThat(runner.engine()).isSameAs(engine);
            FORKS.add(engine);
        }
    }

    @Test
    void all_parameters_of_a_test_share_one_database_that_is_closed_with_the_test() {
        run(Parameters.class).assertStatistics(stats -> stats.succeeded(1).failed(0));

        assertThat(FORKS).hasSize(1).allMatch(Engine::isClosed);
    }

    /** Puts a second plan into all databases. */
    static final class SecondPlan implements Preparation.Action {
        @Override
        public void run(Engine engine) throws SQLException {
            SEEDED.incrementAndGet();
            Sql.execute(engine.dataSource(), "INSERT INTO plan(name) VALUES ('the second')");
        }
    }

    @Tag("fixture")
    @MigratedDatabase(seed = SecondPlan.class)
    @Execution(ExecutionMode.CONCURRENT)
    static class Parallel {
        /** Only two tests meet, because JUnit may leave some workers without a test. */
        static final CyclicBarrier TOGETHER = new CyclicBarrier(2);

        @RepeatedTest(4)
        void each_test_has_a_separate_database(Engine engine) throws Exception {
            FORKS.add(engine);
            TOGETHER.await(30, TimeUnit.SECONDS);
            Sql.execute(engine.dataSource(), "INSERT INTO plan(name) VALUES ('mine')");
            assertThat(plans(engine.dataSource())).isEqualTo("3");
        }

        @Nested
        class Within {
            @Test
            void too(UnitOfWork work) throws SQLException {
                FORKS.add(work.engine());
                assertThat(plans(work.engine().dataSource())).isEqualTo("2");
            }
        }
    }

    @Tag("fixture")
    @MigratedDatabase(seed = SecondPlan.class)
    static class Another {
        @Test
        void the_other_class_has_the_same_template(Engine engine) {
            FORKS.add(engine);
        }
    }

    @Test
    void parallel_tests_have_separate_databases_from_one_template() {
        run(Parallel.class, Another.class)
                .assertStatistics(stats -> stats.succeeded(6).failed(0));

        assertThat(FORKS).hasSize(6).doesNotHaveDuplicates().allMatch(Engine::isClosed);
        assertThat(SEEDED).hasValue(1);
    }

    @Tag("fixture")
    static class Registered {
        @RegisterExtension
        static final MigratedDatabaseExtension DATABASE = MigratedDatabaseExtension.of(
                MigrationRunner.on("jdbc:sqlite:like.db"), engine -> new SecondPlan().run(engine));

        @RepeatedTest(2)
        void each_test_has_a_separate_database(DataSource dataSource) throws SQLException {
            assertThat(plans(dataSource)).isEqualTo("2");
            Sql.execute(dataSource, "DELETE FROM plan");
        }
    }

    @Tag("fixture")
    static class RegisteredWithoutData {
        @RegisterExtension
        static final MigratedDatabaseExtension DATABASE =
                MigratedDatabaseExtension.of(MigrationRunner.on("sqlite:///:memory:"));

        @Test
        void the_scripts_have_run(DataSource dataSource) throws SQLException {
            assertThat(plans(dataSource)).isEqualTo("1");
        }
    }

    @Test
    void an_extension_with_any_runner_can_be_registered() {
        run(Registered.class, RegisteredWithoutData.class)
                .assertStatistics(stats -> stats.succeeded(3).failed(0));

        assertThat(SEEDED).hasValue(1);
    }

    @Tag("fixture")
    @MigratedDatabase
    static class TooEarly {
        @BeforeAll
        static void setUp(Engine engine) {
            FORKS.add(engine);
        }

        @Test
        void never_runs() {}
    }

    @Tag("fixture")
    @MigratedDatabase
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstance {
        OneInstance(Engine engine) {
            FORKS.add(engine);
        }

        @Test
        void never_runs() {}
    }

    @Test
    void a_database_belongs_to_one_test() {
        for (Class<?> type : List.of(TooEarly.class, OneInstance.class)) {
            EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(type))
                    .execute()
                    .containerEvents()
                    .assertThatEvents()
                    .haveAtLeastOne(event(finishedWithFailure(message(said -> said.contains("belongs to one test")))));
        }
        assertThat(FORKS).isEmpty();
    }

    @Tag("fixture")
    @ExtendWith(MigratedDatabaseExtension.class)
    static class Unannotated {
        @Test
        void never_runs(Engine engine) {}
    }

    @Test
    void an_extension_without_a_database_fails_with_a_remedy() {
        run(Unannotated.class)
                .assertThatEvents()
                .haveExactly(1, event(finishedWithFailure(message(said -> said.contains("with @MigratedDatabase")))));
    }

    /** A user's type that an extension can create. */
    public record Repository(Engine engine) {
        public static Repository on(Engine engine) {
            return new Repository(engine);
        }
    }

    /** A type whose creation fails. */
    public record Failing() {
        public static Failing on(Engine engine) {
            if (engine.isClosed()) {
                return new Failing();
            }
            throw new IllegalStateException("not with " + engine.url());
        }
    }

    /** A type without a static method. */
    public record Other() {
        public Other on(Engine engine) {
            return this;
        }
    }

    /** A type whose method returns another type. */
    public record Elsewhere() {
        public static String on(Engine engine) {
            return engine.toString();
        }
    }

    @Tag("fixture")
    @MigratedDatabase
    static class OwnTypes {
        @Test
        void a_repository_is_injected(Repository repository) throws SQLException {
            assertThat(plans(repository.engine().dataSource())).isEqualTo("1");
        }

        @Test
        void fails(Failing failing) {}

        @Test
        void is_not_supported(Other other) {}

        @Test
        void returns_another_type(Elsewhere elsewhere) {}

        @Test
        void is_a_string(String text) {}
    }

    @Test
    void types_with_a_static_method_on_engine_can_be_parameters() {
        Events events = run(OwnTypes.class);

        events.assertStatistics(stats -> stats.succeeded(1).failed(4));
        for (String said : List.of("not with jdbc:sqlite::memory:", "No ParameterResolver registered for")) {
            events.assertThatEvents().haveAtLeastOne(event(finishedWithFailure(message(m -> m.contains(said)))));
        }
    }

    private static MigratedDatabaseExtension inFile() {
        return MigratedDatabaseExtension.of(MigrationRunner.on("jdbc:sqlite:like.db"), engine -> {
            TEMPLATES.add(Path.of(engine.url().name()));
            new SecondPlan().run(engine);
        });
    }

    @Tag("fixture")
    static class InstanceField {
        @RegisterExtension
        private final MigratedDatabaseExtension database = inFile();

        @RepeatedTest(3)
        void each_test_has_a_separate_database(Engine engine) throws SQLException {
            FORKS.add(engine);
            assertThat(plans(engine.dataSource())).isEqualTo("2");
            Sql.execute(engine.dataSource(), "DELETE FROM plan");
            assertThat(TEMPLATES.get(0)).exists();
        }

        @Nested
        class Within {
            @Test
            void too(Engine engine) throws SQLException {
                each_test_has_a_separate_database(engine);
            }
        }
    }

    @Test
    void tests_with_an_extension_per_instance_share_a_template() {
        run(InstanceField.class).assertStatistics(stats -> stats.succeeded(4).failed(0));

        assertThat(SEEDED).hasValue(1);
        assertThat(FORKS).hasSize(4).doesNotHaveDuplicates().allMatch(Engine::isClosed);
        assertThat(TEMPLATES)
                .singleElement()
                .satisfies(template -> assertThat(template.getParent())
                        .as("the template is closed after its class")
                        .doesNotExist());
    }

    private abstract static class WithStaticField {
        @RegisterExtension
        static final MigratedDatabaseExtension DATABASE = inFile();

        @RepeatedTest(2)
        void inherited(DataSource dataSource) throws SQLException {
            assertThat(plans(dataSource)).isEqualTo("2");
            Sql.execute(dataSource, "DELETE FROM plan");
        }
    }

    @Tag("fixture")
    static class FirstOfStatic extends WithStaticField {}

    @Tag("fixture")
    static class SecondOfStatic extends WithStaticField {}

    private abstract static class WithInstanceField {
        @RegisterExtension
        final MigratedDatabaseExtension database =
                MigratedDatabaseExtension.of(MigrationRunner.on("sqlite:///:memory:"), engine -> {
                    SEEDED.incrementAndGet();
                    Sql.execute(engine.dataSource(), "UPDATE plan SET name = '" + owner() + "'");
                });

        abstract String owner();

        @RepeatedTest(2)
        void inherited(DataSource dataSource) throws SQLException {
            assertThat(Sql.query(dataSource, "SELECT name FROM plan")).isEqualTo(owner());
        }
    }

    @Tag("fixture")
    static class FirstOfInstance extends WithInstanceField {
        @Override
        String owner() {
            return "first";
        }
    }

    @Tag("fixture")
    static class SecondOfInstance extends WithInstanceField {
        @Override
        String owner() {
            return "second";
        }
    }

    @Test
    void an_extension_field_can_be_inherited() {
        run(FirstOfStatic.class, SecondOfStatic.class)
                .assertStatistics(stats -> stats.succeeded(4).failed(0));
        assertThat(SEEDED).as("one template for the shared extension").hasValue(1);

        SEEDED.set(0);
        run(FirstOfInstance.class, SecondOfInstance.class)
                .assertStatistics(stats -> stats.succeeded(4).failed(0));
        assertThat(SEEDED).as("one template for each class").hasValue(2);
    }

    /** Fails. */
    static final class NoPlan implements Preparation.Action {
        @Override
        public void run(Engine engine) {
            SEEDED.incrementAndGet();
            throw new IllegalStateException("deliberate failure");
        }
    }

    @Tag("fixture")
    @MigratedDatabase(seed = NoPlan.class)
    static class FailingAnnotation {
        @RepeatedTest(3)
        void never_runs(Engine engine) {}

        @Nested
        class Within {
            @Test
            void never_runs(Engine engine) {}
        }
    }

    @Tag("fixture")
    static class FailingStaticField {
        @RegisterExtension
        static final MigratedDatabaseExtension DATABASE = MigratedDatabaseExtension.of(
                MigrationRunner.on("sqlite:///:memory:"), engine -> new NoPlan().run(engine));

        @RepeatedTest(4)
        void never_runs(Engine engine) {}
    }

    @Tag("fixture")
    static class FailingInstanceField {
        @RegisterExtension
        final MigratedDatabaseExtension database = MigratedDatabaseExtension.of(
                MigrationRunner.on("sqlite:///:memory:"), engine -> new NoPlan().run(engine));

        @RepeatedTest(4)
        void never_runs(Engine engine) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {FailingAnnotation.class, FailingStaticField.class, FailingInstanceField.class})
    void a_failing_template_is_attempted_once_per_class_and_fails_each_test_with_the_reason(Class<?> type) {
        for (int run = 1; run <= 2; run++) {
            run(type)
                    .assertStatistics(stats -> stats.failed(4))
                    .assertThatEvents()
                    .haveExactly(
                            4,
                            event(finishedWithFailure(message(said -> said.contains("deliberate failure")
                                    && said.contains("failed once for all tests of the class")))));
            assertThat(SEEDED).hasValue(run);
        }
    }

    /** Seed data that fails once. */
    static final class FailsOnce implements Preparation.Action {
        @Override
        public void run(Engine engine) {
            if (SEEDED.getAndIncrement() == 0) {
                throw new IllegalStateException("deliberate failure");
            }
        }
    }

    @Tag("fixture")
    @MigratedDatabase(seed = FailsOnce.class)
    static class First {
        @Test
        void test(Engine engine) {}
    }

    @Tag("fixture")
    @MigratedDatabase(seed = FailsOnce.class)
    static class Second {
        @Test
        void test(Engine engine) {}
    }

    @Test
    void another_class_retries_to_create_a_failed_template() {
        run(First.class, Second.class).assertStatistics(stats -> stats.failed(1).succeeded(1));
    }

    /** Requests a value from another extension, as {@code @Autowired} does. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Wired {}

    /** Represents a nullness annotation, which must not affect a parameter. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Nonnull {}

    /** Supports all parameters with {@code @Wired}, as {@code SpringExtension} does. */
    static final class Wiring implements ParameterResolver {
        static final DataSource OTHER = new SQLiteDataSource();

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.isAnnotated(Wired.class)
                    || parameter.getDeclaringExecutable().isAnnotationPresent(Wired.class);
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return OTHER;
        }
    }

    @Tag("fixture")
    @MigratedDatabase
    @ExtendWith(Wiring.class)
    static class BesideAnother {
        private final DataSource wired;

        @Wired
        BesideAnother(DataSource wired) {
            this.wired = wired;
        }

        @Test
        void each_parameter_has_the_value_of_its_extension(@Nonnull DataSource ours, @Wired DataSource other)
                throws SQLException {
            assertThat(plans(ours)).isEqualTo("1");
            assertThat(List.of(other, wired)).containsOnly(Wiring.OTHER);
        }
    }

    @Test
    void annotated_parameters_belong_to_other_extensions() {
        run(BesideAnother.class).assertStatistics(stats -> stats.succeeded(1).failed(0));
    }
}
