package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Who says that it has an ability, and has not, is told what is missing. */
class DefaultsTest {
    private static final Path SCRIPTS = Path.of("scripts");

    private static final CacheUnderTest CACHE = new CacheUnderTest() {
        @Override
        public EngineUnderTest engine(String url) {
            return ENGINE;
        }

        @Override
        public Object identity() {
            return this;
        }

        @Override
        public void close() {}
    };

    private static final EngineUnderTest ENGINE = new EngineUnderTest() {
        @Override
        public Object identity() {
            return this;
        }

        @Override
        public DataSource dataSource() {
            throw new IllegalStateException("nobody asks for it here");
        }

        @Override
        public void close() {}
    };

    private static final WorkUnderTest WORK = new WorkUnderTest() {
        @Override
        public Object engine() {
            return ENGINE;
        }

        @Override
        public void run(Body body) {}
    };

    private static final MigrationsUnderTest MIGRATIONS = new MigrationsUnderTest() {
        @Override
        public Object engine() {
            return ENGINE;
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
    void what_a_cache_does_not_have() {
        missing("evict", () -> CACHE.evict("url"));
        missing("work", () -> CACHE.work("url"));
        missing("work with migrations", () -> CACHE.work("url", SCRIPTS));
        missing("migrations", () -> CACHE.migrations("url", SCRIPTS));
        missing("isClosed", ENGINE::isClosed);
        missing("closeIdleConnections", ENGINE::closeIdleConnections);
        missing("forks", () -> MIGRATIONS.forks(2));
    }

    @Test
    void what_a_unit_of_work_does_not_have() {
        TransactionUnderTest transaction = () -> null;
        missing("read", () -> WORK.read(tx -> {}));
        missing("begin", WORK::begin);
        missing("nested", () -> transaction.nested(tx -> {}));
        missing("afterCommit", () -> transaction.afterCommit(() -> {}));
        missing("afterRollback", () -> transaction.afterRollback(() -> {}));
        missing(
                "repository",
                () -> transaction.repository(String.class, Function.identity().andThen(any -> "")::apply));
    }

    private static void missing(String what, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage(what);
    }
}
