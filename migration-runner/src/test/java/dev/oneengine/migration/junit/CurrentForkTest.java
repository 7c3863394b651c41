package dev.oneengine.migration.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import com.zaxxer.hikari.HikariDataSource;
import dev.oneengine.cache.Engine;
import dev.oneengine.migration.MigrationRunner;
import dev.oneengine.testing.Race;
import dev.oneengine.testing.Sql;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.assertj.core.api.Condition;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.testkit.engine.EngineTestKit;

class CurrentForkTest {
    /** Outlives all tests, like a bean of a cached Spring context. */
    private static final DataSource SHARED = CurrentFork.dataSource();

    private static void run(Class<?> type, boolean parallel, int tests) {
        EngineTestKit.engine("junit-jupiter")
                .configurationParameters(Map.of(
                        "junit.jupiter.execution.parallel.enabled",
                        String.valueOf(parallel),
                        "junit.jupiter.execution.parallel.config.strategy",
                        "fixed",
                        "junit.jupiter.execution.parallel.config.fixed.parallelism",
                        "2"))
                .selectors(selectClass(type))
                .execute()
                .testEvents()
                .assertStatistics(stats -> stats.succeeded(tests).failed(0));
    }

    private static String plans() throws SQLException {
        return Sql.query(SHARED, "SELECT count(*) FROM plan");
    }

    private static void insert() throws SQLException {
        Sql.execute(SHARED, "INSERT INTO plan(name) VALUES ('mine')");
    }

    /** Runs SQL in a thread that runs no test. */
    private static String plansInAnotherThread() throws Exception {
        try (Race race = Race.withThreads(1)) {
            return race.result(race.start(CurrentForkTest::plans));
        }
    }

    @Tag("fixture")
    @MigratedDatabase
    static class SequentialTests {
        SequentialTests() throws SQLException {
            assertThat(plans()).as("before the constructor").isEqualTo("1");
        }

        @BeforeEach
        void setUp() throws SQLException {
            insert();
        }

        @RepeatedTest(3)
        void each_test_has_a_fresh_database(Engine engine) throws Exception {
            assertThat(plans()).isEqualTo("2");
            assertThat(Sql.query(engine.dataSource(), "SELECT count(*) FROM plan"))
                    .as("the database of the parameters")
                    .isEqualTo("2");
            insert();
            assertThat(plansInAnotherThread()).isEqualTo("3");
        }

        @Nested
        class Within {
            @Test
            void too() throws SQLException {
                insert();
                assertThat(plans()).isEqualTo("3");
            }
        }
    }

    @Test
    void one_shared_data_source_leads_to_the_database_of_the_running_test() {
        run(SequentialTests.class, false, 4);
    }

    @Tag("fixture")
    @MigratedDatabase
    @Execution(ExecutionMode.CONCURRENT)
    static class ParallelTests {
        static final CyclicBarrier TOGETHER = new CyclicBarrier(2);

        @RepeatedTest(2)
        void each_thread_reaches_the_database_of_its_test() throws Exception {
            insert();
            TOGETHER.await(30, TimeUnit.SECONDS);
            assertThat(plans()).isEqualTo("2");
            assertThatThrownBy(CurrentForkTest::plansInAnotherThread)
                    .hasStackTraceContaining("tests run in parallel, and this thread runs none of them");
            TOGETHER.await(30, TimeUnit.SECONDS);
        }
    }

    @Tag("fixture")
    @MigratedDatabase
    static class SingleParallelTest {
        @Test
        void another_thread_has_no_database_whether_or_not_other_tests_run() {
            assertThatThrownBy(CurrentForkTest::plansInAnotherThread)
                    .hasStackTraceContaining("tests run in parallel, and this thread runs none of them");
        }
    }

    @Test
    void in_parallel_runs_only_test_threads_have_a_database() {
        run(ParallelTests.class, true, 2);
        run(SingleParallelTest.class, true, 1);
    }

    /** Runs dynamic tests like the thread pool of JUnit, which may run them in another thread than their factory. */
    private static final class InOtherThread implements InvocationInterceptor {
        @Override
        public void interceptDynamicTest(
                Invocation<@Nullable Void> invocation, DynamicTestInvocationContext test, ExtensionContext context)
                throws Throwable {
            try (Race race = Race.withThreads(1)) {
                race.result(race.start(() -> {
                    try {
                        invocation.proceed();
                        return true;
                    } catch (Throwable t) {
                        throw new AssertionError(t);
                    }
                }));
            }
        }
    }

    @Tag("fixture")
    @ExtendWith(InOtherThread.class)
    @MigratedDatabase
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    static class SeparateThreads {
        @BeforeEach
        @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
        void setUp() throws SQLException {
            insert();
        }

        @Test
        void a_test_with_a_timeout() throws SQLException {
            assertThat(plans()).isEqualTo("2");
        }

        @RepeatedTest(1)
        void a_repeated_test_with_a_timeout() throws SQLException {
            assertThat(plans()).isEqualTo("2");
        }

        @TestFactory
        DynamicTest a_dynamic_test() throws SQLException {
            insert();
            return DynamicTest.dynamicTest("dynamic", () -> assertThat(plans()).isEqualTo("3"));
        }

        @AfterEach
        @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
        void tearDown() throws SQLException {
            assertThat(plans()).isNotEqualTo("1");
        }
    }

    @Test
    void a_test_that_junit_runs_in_another_thread_has_its_database_in_parallel_runs_too() {
        run(SeparateThreads.class, true, 3);
    }

    /** Fails before other extensions enter the test. */
    private static final class FailsEarly implements BeforeEachCallback {
        @Override
        public void beforeEach(ExtensionContext context) {
            throw new IllegalStateException("too early");
        }
    }

    @Tag("fixture")
    @ExtendWith(FailsEarly.class)
    @MigratedDatabase
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class NeverEntered {
        @Test
        void is_never_reached() {}

        @AfterEach
        void tearDown() {
            assertOutside(CurrentForkTest::plans);
        }
    }

    @Test
    void the_failure_of_another_extension_is_the_only_one() {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(NeverEntered.class))
                .execute()
                .testEvents()
                .assertThatEvents()
                .haveExactly(
                        1,
                        finishedWithFailure(
                                message("too early"),
                                new Condition<>(failure -> failure.getSuppressed().length == 0, "alone")));
    }

    @Tag("fixture")
    @MigratedDatabase
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstance {
        OneInstance() {
            assertOutside(CurrentForkTest::plans);
        }

        @BeforeAll
        void setUp() {
            assertOutside(CurrentForkTest::plans);
        }

        @RepeatedTest(2)
        void each_test_has_a_fresh_database() throws SQLException {
            insert();
            assertThat(plans()).isEqualTo("2");
        }
    }

    private static void assertOutside(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("no test with a migrated database is running")
                .hasMessageContaining("@MigratedDatabase");
    }

    @Test
    void each_call_outside_a_test_fails_with_the_reason() {
        assertOutside(SHARED::getConnection);
        assertOutside(() -> SHARED.getConnection("user", "password"));
        assertOutside(() -> SHARED.unwrap(HikariDataSource.class));
        assertOutside(() -> SHARED.isWrapperFor(HikariDataSource.class));
        assertOutside(SHARED::getLogWriter);
        assertOutside(() -> SHARED.setLogWriter(null));
        assertOutside(SHARED::getLoginTimeout);
        assertOutside(() -> SHARED.setLoginTimeout(1));
        assertThatThrownBy(SHARED::getParentLogger).isInstanceOf(SQLFeatureNotSupportedException.class);
        assertThat(SHARED).hasToString("CurrentFork");
        run(OneInstance.class, false, 2);
        assertOutside(CurrentForkTest::plans);
    }

    @Tag("fixture")
    @MigratedDatabase
    static class EachMethod {
        @Test
        void each_method_is_forwarded(Engine engine) throws SQLException {
            assertThat(SHARED.isWrapperFor(HikariDataSource.class)).isTrue();
            assertThat(SHARED.unwrap(HikariDataSource.class))
                    .isSameAs(engine.dataSource().unwrap(HikariDataSource.class));
            assertThat(SHARED.getLogWriter()).isSameAs(engine.dataSource().getLogWriter());
            assertThat(SHARED.getLoginTimeout()).isEqualTo(engine.dataSource().getLoginTimeout());
            SHARED.setLogWriter(SHARED.getLogWriter());
            SHARED.setLoginTimeout(SHARED.getLoginTimeout());
        }
    }

    @Test
    void calls_are_forwarded_to_the_data_source_of_the_engine() {
        run(EachMethod.class, false, 1);
    }

    @Tag("fixture")
    @MigratedDatabase
    static class Inner {
        @Test
        void the_inner_test_has_a_separate_database() throws SQLException {
            assertThat(plans()).isEqualTo("1");
        }
    }

    @Tag("fixture")
    @MigratedDatabase
    static class Outer {
        @Test
        void the_outer_test_keeps_its_database_after_an_inner_test() throws SQLException {
            insert();
            run(Inner.class, false, 1);
            assertThat(plans()).isEqualTo("2");
        }
    }

    @Test
    void a_test_run_inside_a_test_has_a_separate_database() {
        run(Outer.class, false, 1);
    }

    @Tag("fixture")
    static class TwoDatabases {
        @RegisterExtension
        static final MigratedDatabaseExtension FIRST =
                MigratedDatabaseExtension.of(MigrationRunner.on("sqlite:///:memory:"));

        @RegisterExtension
        final MigratedDatabaseExtension second = MigratedDatabaseExtension.of(MigrationRunner.on("sqlite:///:memory:"));

        @Test
        void no_database_is_current() {
            assertThatThrownBy(CurrentForkTest::plans)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("2 extensions")
                    .hasMessageContaining("TwoDatabases");
        }
    }

    @Tag("fixture")
    @MigratedDatabase(locations = "classpath:nowhere")
    static class WithoutScripts {
        @Test
        void the_failure_names_the_reason() {
            assertThatThrownBy(CurrentForkTest::plans)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("failed once for all tests of the class")
                    .hasMessageContaining("nowhere");
        }
    }

    @Test
    void a_test_without_exactly_one_database_fails_with_the_reason() {
        run(TwoDatabases.class, false, 1);
        run(WithoutScripts.class, false, 1);
    }
}
