package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls every method of every object that leads back to a participant's connection. */
@Timeout(60)
class GuardTest {
    /** Methods that may be called at any time, because they affect neither the database nor another thread. */
    private static final Set<String> HARMLESS = Set.of("cancel", "close", "free", "isClosed", "mark", "markSupported");

    /** Methods that the search must not call, because they would end it. */
    private static final Set<String> NOT_CALLED = Set.of(
            "abort", "cancel", "close", "closeOnCompletion", "free", "rollback", "setNetworkTimeout", "setSchema");

    private static final Set<Class<?>> STREAMS =
            Set.of(InputStream.class, Reader.class, OutputStream.class, Writer.class);

    @TempDir
    Path directory;

    private final EngineCache cache = EngineCache.create();

    @AfterEach
    void close() {
        cache.close();
    }

    private UnitOfWork work(Database database) throws SQLException {
        var engine = cache.engine(
                database.url(directory), EngineSettings.builder().poolSize(1).build());
        if (database == Database.POSTGRESQL) {
            Sql.execute(
                    engine.dataSource(),
                    "CREATE TABLE thing(name TEXT, lob OID, tags TEXT[], doc XML, num INT, data BYTEA)",
                    "INSERT INTO thing SELECT 'a', lob, '{a,b}', '<a/>', 1, 'abc'"
                            + " FROM lo_from_bytea(0, 'abc') AS lob, generate_series(1, 1000)");
        } else {
            Sql.execute(
                    engine.dataSource(),
                    "CREATE TABLE thing(name TEXT, lob BLOB, tags TEXT, doc TEXT, num INT, data BLOB)",
                    "INSERT INTO thing WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 1000)"
                            + " SELECT 'a', x'616263', 'a', '<a/>', 1, x'616263' FROM n");
        }
        return UnitOfWork.on(engine);
    }

    private static Set<Class<?>> expected(Database database) {
        Set<Class<?>> types = new HashSet<>(Set.of(
                Connection.class,
                Statement.class,
                PreparedStatement.class,
                ResultSet.class,
                DatabaseMetaData.class,
                ResultSetMetaData.class,
                ParameterMetaData.class,
                Clob.class,
                InputStream.class,
                Reader.class));
        if (database == Database.POSTGRESQL) {
            types.addAll(Set.of(CallableStatement.class, Array.class, SQLXML.class, OutputStream.class));
        }
        return types;
    }

    @ParameterizedTest
    @EnumSource
    void objects_that_lead_back_to_the_connection_work_only_in_their_unit_and_thread(Database database)
            throws Exception {
        UnitOfWork work = work(database);
        List<Found> kept = new ArrayList<>();
        work.run(tx -> {
            kept.addAll(new Explorer(tx.connection()).explore());
            CompletableFuture.runAsync(() -> kept.forEach(found -> found.assertRejected("belongs to thread")))
                    .join();
        });
        assertThat(kept.stream().<Class<?>>map(found -> found.type)).containsAll(expected(database));

        work.run(tx -> {
            Sql.query(tx.connection(), "SELECT 1");
            kept.forEach(found -> found.assertRejected("has ended"));
            assertThat(Sql.query(tx.connection(), "SELECT name FROM thing")).isEqualTo("a");
        });
    }

    /** An object, and the type under which participants see it. */
    private record Found(Class<?> type, Object object, String path) {
        void assertRejected(String reason) {
            for (Method method : type.getMethods()) {
                if (Modifier.isStatic(method.getModifiers()) || method.getDeclaringClass() == Object.class) {
                    continue;
                }
                for (Object[] args : Explorer.arguments(type, method)) {
                    try {
                        Object result = method.invoke(object, args);
                        if (!HARMLESS.contains(method.getName())
                                && !method.getName().equals("isWrapperFor")
                                && !isStandIn(method)) {
                            fail(
                                    "%s.%s returns %s after the unit has ended, or in another thread",
                                    path, method, result);
                        }
                    } catch (InvocationTargetException e) {
                        boolean isUnwrap = method.getName().equals("unwrap");
                        assertThat(e.getCause())
                                .as("%s.%s", path, method)
                                .isInstanceOfAny(Exception.class)
                                .isNotInstanceOf(UndeclaredThrowableException.class);
                        if (!isUnwrap && !isStandIn(method)) {
                            assertThat(e.getCause()).as("%s.%s", path, method).hasMessageContaining(reason);
                        }
                    } catch (IllegalAccessException e) {
                        throw new LinkageError(path, e);
                    }
                }
            }
            assertThat(object.toString()).isNotNull();
            assertThat(object.hashCode()).isEqualTo(object.hashCode());
            assertThat(object.equals(object)).isTrue();
        }

        /** Methods of Java's own stream classes that neither read nor write. */
        private boolean isStandIn(Method method) {
            return STREAMS.contains(type)
                    && Set.of("mark", "reset", "skip", "append").contains(method.getName());
        }
    }

    /** Calls methods until they return no new kind of object. */
    private static final class Explorer {
        private final Connection connection;
        private final Map<String, Found> found = new LinkedHashMap<>();

        Explorer(Connection connection) {
            this.connection = connection;
        }

        List<Found> explore() throws SQLException, IllegalAccessException {
            explore(Connection.class, connection, "connection", Transaction.class);
            return List.copyOf(found.values());
        }

        /** Calls the methods of rows at once, because the next execution of their statement would close them. */
        private void explore(Class<?> type, Object object, String path, Class<?> parent)
                throws SQLException, IllegalAccessException {
            Found next = new Found(type, object, path);
            String kind = type.getSimpleName() + " of " + parent.getSimpleName();
            if (found.putIfAbsent(kind, next) != null) {
                return;
            }
            Method[] methods = type.getMethods();
            Arrays.sort(
                    methods,
                    Comparator.comparing((Method method) -> method.getReturnType() == Statement.class
                                    || method.getReturnType() == Connection.class)
                            .thenComparing(Method::getName));
            for (Method method : methods) {
                if (method.getDeclaringClass() != Object.class
                        && !NOT_CALLED.contains(method.getName())
                        && !Modifier.isStatic(method.getModifiers())
                        && !STREAMS.contains(type)) {
                    for (Object[] args : arguments(type, method)) {
                        call(next, method, args);
                    }
                }
            }
        }

        private void call(Found target, Method method, Object[] args) throws SQLException, IllegalAccessException {
            Savepoint savepoint = connection.setSavepoint();
            try {
                if (target.object instanceof ResultSet rows && !method.getName().equals("next")) {
                    rows.next();
                }
                check(target, method, method.invoke(target.object, args));
                connection.releaseSavepoint(savepoint);
            } catch (InvocationTargetException | SQLException e) {
                connection.rollback(savepoint);
            }
        }

        private void check(Found target, Method method, @Nullable Object result)
                throws SQLException, IllegalAccessException {
            if (result == null) {
                return;
            }
            String path = target.path + "." + method.getName();
            if (result instanceof Guarded) {
                explore(result.getClass().getInterfaces()[0], result, path, target.type);
                return;
            }
            for (Class<?> stream : STREAMS) {
                if (stream.isInstance(result)) {
                    assertThat(result.getClass().getName()).as(path).startsWith("dev.oneengine.work.GuardedStreams");
                    explore(stream, result, path, target.type);
                    return;
                }
            }
            assertKnowsNoConnection(path, result);
        }

        private static void assertKnowsNoConnection(String path, Object value) throws IllegalAccessException {
            assertThat(value).as(path).isNotInstanceOfAny(Wrapper.class, Blob.class, Clob.class);
            for (Class<?> type = value.getClass();
                    type != null && !type.getName().startsWith("java") && !type.isArray();
                    type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    field.setAccessible(true);
                    assertThat(field.get(Modifier.isStatic(field.getModifiers()) ? null : value) instanceof Connection)
                            .as("%s, %s", path, field)
                            .isFalse();
                }
            }
        }

        /** Returns arguments with which a method may succeed. */
        static List<Object[]> arguments(Class<?> type, Method method) {
            int columns = type == ResultSet.class
                            && List.of(method.getParameterTypes()).equals(List.of(int.class))
                    ? 6
                    : 1;
            List<Object[]> all = new ArrayList<>();
            for (int column = 1; column <= columns; column++) {
                Class<?>[] types = method.getParameterTypes();
                Object[] args = new Object[types.length];
                for (int i = 0; i < args.length; i++) {
                    args[i] = argument(method, types[i], i, column);
                }
                all.add(args);
            }
            return all;
        }

        private static @Nullable Object argument(Method method, Class<?> type, int index, int column) {
            if (type == int.class) {
                return switch (method.getName()) {
                    case "createStatement", "prepareStatement", "prepareCall" ->
                        List.of(
                                        ResultSet.TYPE_FORWARD_ONLY,
                                        ResultSet.CONCUR_READ_ONLY,
                                        ResultSet.CLOSE_CURSORS_AT_COMMIT)
                                .get(method.getName().equals("createStatement") ? index : Math.max(0, index - 1));
                    case "read", "write" -> index - 1 < 0 ? 1 : index - 1;
                    default -> index == 0 ? column : 1;
                };
            }
            if (type == String.class) {
                boolean sql = index == 0 && method.getName().matches("(execute|prepare|addBatch|nativeSQL).*");
                return sql
                        ? "SELECT name, lob, tags, doc, num, data FROM thing"
                        : method.getName().equals("createArrayOf") ? "text" : index == 0 ? "lob" : null;
            }
            if (type == Class.class) {
                return String.class;
            }
            if (type == OutputStream.class) {
                return OutputStream.nullOutputStream();
            }
            if (type == Writer.class) {
                return Writer.nullWriter();
            }
            if (type == CharBuffer.class) {
                return CharBuffer.allocate(1);
            }
            if (type == Object[].class) {
                return new Object[] {"a"};
            }
            Map<Class<?>, Object> values = Map.of(
                    long.class,
                    1L,
                    boolean.class,
                    true,
                    short.class,
                    (short) 1,
                    byte.class,
                    (byte) 1,
                    double.class,
                    1.0,
                    float.class,
                    1.0f,
                    char.class,
                    'a',
                    byte[].class,
                    new byte[3],
                    char[].class,
                    new char[3]);
            return values.get(type);
        }
    }
}
