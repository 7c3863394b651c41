package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** An adapter that claims an ability but lacks its methods fails with a message that names the missing method. */
class DefaultsTest {
    private static final Path SCRIPTS = Path.of("scripts");

    private static final CacheUnderTest CACHE = new CacheUnderTest() {
        @Override
        public EngineUnderTest engine(String url) {
            return ENGINE;
        }

        @Override
        public Identity identity() {
            return Identity.of(this);
        }

        @Override
        public void close() {}
    };

    private static final EngineUnderTest ENGINE = new EngineUnderTest() {
        @Override
        public Identity identity() {
            return Identity.of(this);
        }

        @Override
        public ConnectionUnderTest connect() {
            throw new IllegalStateException("not called in this test");
        }

        @Override
        public void close() {}
    };

    private static final WorkUnderTest WORK = new WorkUnderTest() {
        @Override
        public Identity engine() {
            return ENGINE.identity();
        }

        @Override
        public void run(Body body) {}
    };

    private static final MigrationsUnderTest MIGRATIONS = new MigrationsUnderTest() {
        @Override
        public Identity engine() {
            return ENGINE.identity();
        }

        @Override
        public void migrate() {}

        @Override
        public List<String> pending() {
            return List.of();
        }

        @Override
        public List<String> status() {
            return List.of();
        }
    };

    @Test
    void a_missing_method_of_a_cache_adapter_is_named() {
        missing("CacheUnderTest.evict", () -> CACHE.evict("url"));
        missing("CacheUnderTest.work", () -> CACHE.work("url"));
        missing("CacheUnderTest.work with scripts", () -> CACHE.work("url", SCRIPTS));
        missing("CacheUnderTest.migrations", () -> CACHE.migrations("url", SCRIPTS));
        missing("EngineUnderTest.isClosed", ENGINE::isClosed);
        missing("EngineUnderTest.closeIdleConnections", ENGINE::closeIdleConnections);
        missing("MigrationsUnderTest.forks", () -> MIGRATIONS.forks(2));
    }

    @Test
    void a_missing_method_of_a_unit_of_work_adapter_is_named() {
        TransactionUnderTest transaction = () -> null;
        missing("WorkUnderTest.read", () -> WORK.read(tx -> {}));
        missing("WorkUnderTest.begin", WORK::begin);
        missing("TransactionUnderTest.nested", () -> transaction.nested(tx -> {}));
        missing("TransactionUnderTest.afterCommit", () -> transaction.afterCommit(() -> {}));
        missing("TransactionUnderTest.afterRollback", () -> transaction.afterRollback(() -> {}));
        missing(
                "TransactionUnderTest.repository",
                () -> transaction.repository(String.class, Function.identity().andThen(any -> "")::apply));
    }

    private static void missing(String what, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage(what);
    }
}
