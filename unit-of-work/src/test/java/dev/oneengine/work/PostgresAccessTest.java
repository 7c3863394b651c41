package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.EngineSettings;
import dev.oneengine.cache.EngineSettings.Isolation;
import dev.oneengine.testing.Database;
import dev.oneengine.testing.Sql;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.Writer;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.QueryExecutor;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/**
 * Tests large objects, {@code COPY} and other features of PostgreSQL's driver within a unit. Each test runs in a
 * separate thread, because a {@code COPY} can hang.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class PostgresAccessTest {
    private static final String COPY_IN = "COPY item FROM STDIN";

    @TempDir
    Path directory;

    private String url;
    private EngineCache cache;
    private Engine engine;
    private UnitOfWork work;

    @BeforeEach
    void open() throws Exception {
        url = Database.POSTGRESQL.url(directory);
        cache = EngineCache.create();
        engine = cache.engine(url, EngineSettings.builder().poolSize(1).build());
        Sql.execute(engine.dataSource(), "CREATE TABLE item(name TEXT)", "CREATE TABLE file(content OID)");
        Sql.execute(engine.dataSource(), "INSERT INTO file VALUES (lo_from_bytea(0, 'abc'))");
        work = UnitOfWork.on(engine);
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private String content() throws Exception {
        return Sql.query(engine.dataSource(), "SELECT convert_from(lo_get(content), 'UTF8') FROM file");
    }

    private static Blob blob(Connection connection) throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT content FROM file")) {
            rows.next();
            return rows.getBlob(1);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // Large objects through JDBC

    @Test
    void a_blob_of_an_ended_unit_cannot_write_in_another_unit() throws Exception {
        AtomicReference<Blob> kept = new AtomicReference<>();
        AtomicReference<OutputStream> stream = new AtomicReference<>();
        work.<Exception>run(tx -> {
            kept.set(blob(tx.connection()));
            stream.set(kept.get().setBinaryStream(1));
        });
        work.<Exception>run(tx -> {
            assertThatThrownBy(() -> kept.get().setBytes(1, bytes("bad")))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("has ended");
            assertThatThrownBy(() -> stream.get().write(1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has ended");
            kept.get().free();
            stream.get().close();
        });
        assertThat(content()).isEqualTo("abc");
    }

    @Test
    void a_blob_belongs_to_the_thread_of_its_unit() throws Exception {
        work.<Exception>run(tx -> {
            Blob blob = blob(tx.connection());
            InputStream in = blob.getBinaryStream();
            CompletableFuture.runAsync(() -> {
                        assertThatThrownBy(() -> blob.setBytes(1, bytes("bad")))
                                .hasMessageContaining("belongs to thread");
                        assertThatThrownBy(in::read).hasMessageContaining("belongs to thread");
                        assertThatThrownBy(in::close).hasMessageContaining("belongs to thread");
                    })
                    .join();
        });
        assertThat(content()).isEqualTo("abc");
    }

    @Test
    void blobs_and_their_streams_work_within_the_unit() throws Exception {
        work.<Exception>run(tx -> {
            Blob blob = blob(tx.connection());
            InputStream in = blob.getBinaryStream();
            assertThat(in.available()).isNotNegative();
            assertThat(in.read()).isEqualTo('a');
            assertThat(in.skip(1)).isEqualTo(1);
            assertThat(in.readAllBytes()).isEqualTo(bytes("c"));
            in.close();
            assertThat(blob.position(blob, 1)).isEqualTo(1);
            blob(tx.connection()).free();
            try (OutputStream out = blob.setBinaryStream(2)) {
                out.write('x');
                out.write(bytes("yz"));
                out.flush();
            }
            try (PreparedStatement insert = tx.connection().prepareStatement("UPDATE file SET content = ?")) {
                insert.setBlob(1, blob);
                insert.executeUpdate();
            }
        });
        assertThat(content()).isEqualTo("axyz");
    }

    @Test
    void clobs_and_xml_work_within_the_unit() throws Exception {
        work.<Exception>run(tx -> {
            try (Statement statement = tx.connection().createStatement();
                    ResultSet rows = statement.executeQuery("SELECT content, '<a/>'::xml FROM file")) {
                rows.next();
                Clob clob = rows.getClob(1);
                try (Reader reader = clob.getCharacterStream()) {
                    assertThat(reader.ready()).isIn(true, false);
                    assertThat(reader.read()).isEqualTo('a');
                    assertThat(reader.skip(1)).isEqualTo(1);
                    assertThat(reader.read()).isEqualTo('c');
                }
                assertThat(rows.getObject(2)).isInstanceOf(SQLXML.class);
                SQLXML xml = tx.connection().createSQLXML();
                try (Writer writer = xml.setCharacterStream()) {
                    writer.write('<');
                    writer.append("b/>").flush();
                }
                assertThat(xml.getString()).isEqualTo("<b/>");
            }
        });
    }

    @Test
    void data_buffered_in_a_stream_is_written_before_the_commit() throws Exception {
        work.<Exception>run(tx -> write(tx, "xyz"));
        assertThat(content()).isEqualTo("xyz");
        work.<Exception>run(tx -> {
            write(tx, "bad");
            tx.setRollbackOnly();
        });
        assertThat(content()).isEqualTo("xyz");
    }

    @Test
    void closing_a_statement_after_opening_a_stream_loses_no_data() throws Exception {
        work.<Exception>run(tx -> {
            write(tx, "xyz");
            Items.insert(tx, "a");
        });
        assertThat(content()).isEqualTo("xyz");
    }

    private static void write(Transaction tx, String text) throws Exception {
        blob(tx.connection()).setBinaryStream(1).write(bytes(text)); // left open; the unit closes the stream
    }

    @Test
    void a_stream_that_cannot_be_closed_fails_the_unit() throws Exception {
        assertThatThrownBy(() -> work.<Exception>run(tx -> {
                    Savepoint savepoint = tx.connection().setSavepoint();
                    write(tx, "bad");
                    tx.connection().rollback(savepoint);
                }))
                .isInstanceOf(TransactionException.class)
                .hasMessageContaining("Cannot write the end of a stream");
        assertThat(content()).isEqualTo("abc");
    }

    @Test
    void rolling_back_a_nested_transaction_closes_its_streams() throws Exception {
        work.<Exception>run(tx -> {
            Items.insert(tx, "a");
            tx.<Exception>nested(inner -> {
                write(inner, "bad");
                inner.connection().createSQLXML().setCharacterStream().write("and left open");
                inner.<Exception>nested(innermost -> write(innermost, "bad"));
                inner.setRollbackOnly();
            });
        });
        assertThat(Items.in(engine.dataSource())).containsExactly("a");
        assertThat(content()).isEqualTo("abc");
    }

    @Test
    void a_stream_of_the_unit_outlives_the_rollback_of_a_nested_transaction() throws Exception {
        work.<Exception>run(tx -> {
            write(tx, "xyz");
            tx.<Exception>nested(inner -> {
                inner.connection().createStatement();
                inner.setRollbackOnly();
            });
        });
        assertThat(content()).isEqualTo("xyz");
    }

    @Test
    void a_driver_failure_in_a_stream_dooms_the_unit() {
        assertThatThrownBy(() -> work.<Exception>run(tx -> {
                    InputStream in = blob(tx.connection()).getBinaryStream();
                    assertThatThrownBy(() -> in.read(null, 0, 1)).isInstanceOf(NullPointerException.class);
                }))
                .isInstanceOf(RollbackOnlyException.class)
                .hasCauseInstanceOf(NullPointerException.class);
    }

    @Test
    void a_swallowed_failure_of_a_stream_is_the_cause_of_the_rollback() {
        assertThatThrownBy(() -> work.<Exception>run(tx -> {
                    InputStream in = blob(tx.connection()).getBinaryStream();
                    assertThat(Sql.query(tx.connection(), "SELECT lo_close(1)")).isEqualTo("0");
                    assertThatThrownBy(in::read).isInstanceOf(IOException.class);
                }))
                .isInstanceOf(RollbackOnlyException.class)
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void the_rows_of_a_cursor_are_guarded() throws Exception {
        AtomicReference<ResultSet> kept = new AtomicReference<>();
        work.<Exception>run(tx -> {
            Statement statement = tx.connection().createStatement();
            statement.execute("DECLARE names CURSOR FOR SELECT 'a'");
            ResultSet rows = statement.executeQuery("SELECT 'names'::refcursor");
            assertThat(rows.next()).isTrue();
            kept.set((ResultSet) rows.getObject(1));
            assertThat(kept.get().next()).isTrue();
            assertThat(kept.get().getString(1)).isEqualTo("a");
            assertThat(kept.get().getStatement().getConnection()).isSameAs(tx.connection());
        });
        assertThatThrownBy(() -> kept.get().getString(1)).hasMessageContaining("has ended");
    }

    @Test
    void nested_arrays_are_written_and_read() throws Exception {
        work.<Exception>run(tx -> {
            try (Statement statement = tx.connection().createStatement();
                    ResultSet rows = statement.executeQuery("SELECT ARRAY[[1, 2], [3, 4]]")) {
                rows.next();
                assertThat(rows.getArray(1).getArray()).isEqualTo(new Integer[][] {{1, 2}, {3, 4}});
            }
            assertThat(tx.connection().unwrap(PGConnection.class).getNotifications())
                    .isNullOrEmpty();
        });
    }

    @Test
    void a_connection_to_another_database_does_not_unwrap_to_the_postgresql_driver() throws Exception {
        UnitOfWork.on(cache.engine("sqlite:///:memory:")).<Exception>run(tx -> {
            assertThat(tx.connection().isWrapperFor(PGConnection.class)).isFalse();
            assertThatThrownBy(() -> tx.connection().unwrap(PGConnection.class)).hasMessageContaining("is rejected");
        });
    }

    // Large objects and COPY through the driver

    @Test
    void large_objects_of_the_driver_are_closed_with_the_unit() throws Exception {
        AtomicReference<LargeObject> object = new AtomicReference<>();
        AtomicReference<LargeObjectManager> manager = new AtomicReference<>();
        AtomicReference<PGConnection> connection = new AtomicReference<>();
        work.<Exception>run(tx -> {
            assertThat(tx.connection().isWrapperFor(PGConnection.class)).isTrue();
            connection.set(tx.connection().unwrap(PGConnection.class));
            manager.set(connection.get().getLargeObjectAPI());
            assertThat(connection.get().getLargeObjectAPI()).isSameAs(manager.get());
            long oid = manager.get().createLO();
            object.set(manager.get().open(oid));
            object.get().write(bytes("new"));
            try (Statement statement = tx.connection().createStatement()) {
                statement.executeUpdate("UPDATE file SET content = " + oid);
            }
            CompletableFuture.runAsync(() -> {
                        assertThatThrownBy(() -> object.get().write(bytes("bad")))
                                .hasMessageContaining("belongs to thread");
                        assertThatThrownBy(() -> connection.get().getCopyAPI())
                                .hasMessageContaining("belongs to thread");
                    })
                    .join();
            assertThatThrownBy(() -> manager.get().open(oid, true).close())
                    .hasMessageContaining("commit() is rejected");
        });
        work.<Exception>run(tx -> {
            assertThatThrownBy(() -> object.get().write(bytes("bad"))).hasMessageContaining("has ended");
            assertThatThrownBy(() -> manager.get().createLO()).hasMessageContaining("has ended");
            assertThatThrownBy(() -> connection.get().getCopyAPI()).hasMessageContaining("has ended");
            assertThatThrownBy(() -> connection.get().setPrepareThreshold(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has ended");
        });
        assertThat(content()).isEqualTo("new");
    }

    @Test
    void copy_is_part_of_the_unit() throws Exception {
        work.<Exception>run(tx -> assertThat(copy(tx, "a\nb\n")).isEqualTo(2));
        assertThatThrownBy(() -> work.<Exception>run(tx -> {
                    copy(tx, "c\n");
                    throw new SQLException("fails");
                }))
                .hasMessage("fails");
        assertThat(Items.in(engine.dataSource())).containsExactly("a", "b");
        work.<Exception>run(tx -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (Connection lent = tx.dataSource().getConnection()) {
                new CopyManager(lent.unwrap(BaseConnection.class)).copyOut("COPY item TO STDOUT", out);
            }
            assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("a\nb\n");
        });
    }

    private static long copy(Transaction tx, String rows) throws Exception {
        return tx.connection().unwrap(PGConnection.class).getCopyAPI().copyIn(COPY_IN, new StringReader(rows));
    }

    @Test
    void copy_rejects_sql_that_ends_the_transaction() throws Exception {
        work.<Exception>run(tx -> {
            CopyManager copies = tx.connection().unwrap(PGConnection.class).getCopyAPI();
            assertThatThrownBy(() -> copies.copyIn("COMMIT")).hasMessageContaining("COMMIT is rejected");
            assertThatThrownBy(() -> copies.copyOut("COPY nowhere TO STDOUT")).hasMessageContaining("nowhere");
            tx.setRollbackOnly();
        });
    }

    @Test
    void a_copy_works_only_in_its_unit_and_thread() throws Exception {
        List<CopyIn> kept = new ArrayList<>();
        work.<Exception>run(tx -> {
            CopyIn copy =
                    tx.connection().unwrap(PGConnection.class).getCopyAPI().copyIn(COPY_IN);
            kept.add(copy);
            assertThat(copy.getFieldCount()).isEqualTo(1);
            copy.writeToCopy(bytes("a\n"), 0, 2);
            CompletableFuture.runAsync(() -> assertThatThrownBy(() -> copy.writeToCopy(bytes("b\n"), 0, 2))
                            .hasMessageContaining("belongs to thread"))
                    .join();
            copy.endCopy();
        });
        work.<Exception>run(tx -> {
            assertThatThrownBy(() -> kept.get(0).writeToCopy(bytes("b\n"), 0, 2))
                    .hasMessageContaining("has ended");
            assertThat(kept.get(0).isActive()).isFalse();
        });
        assertThat(Items.in(engine.dataSource())).containsExactly("a");
    }

    @Test
    void objects_of_the_driver_are_unusable_after_the_unit() throws Exception {
        AtomicReference<QueryExecutor> executor = new AtomicReference<>();
        AtomicReference<Connection> connection = new AtomicReference<>();
        work.<Exception>run(tx -> {
            executor.set(tx.connection().unwrap(BaseConnection.class).getQueryExecutor());
            connection.set(tx.connection());
            Connection lent = tx.dataSource().getConnection();
            lent.close();
            assertThatThrownBy(() -> lent.unwrap(PGConnection.class)).hasMessageContaining("closed by its user");
        });
        work.<Exception>run(tx -> {
            assertThatThrownBy(() -> executor.get().startCopy(COPY_IN, false)).hasMessageContaining("has ended");
            assertThatThrownBy(() -> connection.get().unwrap(PGConnection.class))
                    .hasMessageContaining("has ended");
        });
        assertThat(Items.in(engine.dataSource())).isEmpty();
    }

    @Test
    void an_open_copy_rejects_all_other_calls() throws Exception {
        work.<Exception>run(tx -> {
            CopyOut copy =
                    tx.connection().unwrap(PGConnection.class).getCopyAPI().copyOut("COPY item TO STDOUT");
            assertThatThrownBy(() -> Items.in(tx.connection())).hasMessageContaining("A COPY runs");
            assertThatThrownBy(() -> tx.connection().unwrap(PGConnection.class).getCopyAPI())
                    .hasMessageContaining("A COPY runs");
            while (copy.readFromCopy() != null) {
                // Reads all rows.
            }
            assertThat(Items.in(tx.connection())).isEmpty();
        });
    }

    @Test
    void a_copy_left_open_is_cancelled_and_fails_the_unit() throws Exception {
        assertThatThrownBy(() -> work.<Exception>run(PostgresAccessTest::beginCopy))
                .isInstanceOf(TransactionException.class)
                .hasMessageContaining("A COPY was left open");
        assertThatThrownBy(() -> work.<Exception>run(tx -> {
                    beginCopy(tx);
                    throw new IllegalStateException("fails");
                }))
                .hasMessage("fails");
        work.<Exception>run(tx -> assertThatThrownBy(() -> tx.<Exception>nested(PostgresAccessTest::beginCopy))
                .isInstanceOf(TransactionException.class)
                .hasMessageContaining("A COPY was left open"));
        assertThatThrownBy(() -> work.<Exception>run(tx -> {
                    beginCopy(tx);
                    assertThatThrownBy(() -> tx.nested(inner -> {})).hasMessageContaining("A COPY was left open");
                }))
                .isInstanceOf(RollbackOnlyException.class)
                .hasMessageContaining("A COPY was left open");
        work.<Exception>run(tx -> {
            Items.insert(tx, "kept");
            assertThatThrownBy(() -> tx.<Exception>nested(inner -> {
                        beginCopy(inner);
                        throw new IllegalStateException("fails");
                    }))
                    .hasMessage("fails")
                    .hasNoSuppressedExceptions();
        });
        work.<Exception>run(tx -> Items.insert(tx, "next"));
        assertThat(Items.in(engine.dataSource())).containsExactly("kept", "next");
    }

    private static void beginCopy(Transaction tx) throws Exception {
        CopyIn copy = tx.connection().unwrap(PGConnection.class).getCopyAPI().copyIn(COPY_IN);
        copy.writeToCopy(bytes("lost\n"), 0, 5);
    }

    @Test
    void the_driver_offers_no_way_around_the_guard() throws Exception {
        work.<Exception>run(tx -> {
            BaseConnection driver = tx.connection().unwrap(BaseConnection.class);
            assertThat(driver.escapeString("it's")).isEqualTo("it''s");
            assertThat(driver.getBackendPID()).isPositive();
            assertThat(driver.createArrayOf("text", new String[] {"a"}).getBaseTypeName())
                    .isEqualTo("text");
            assertThatThrownBy(driver::commit).hasMessageContaining("commit() is rejected");
            assertThatThrownBy(() -> driver.execSQLUpdate("COMMIT"))
                    .hasMessageContaining("execSQLUpdate() is rejected");
            assertThatThrownBy(() -> driver.getQueryExecutor().createSimpleQuery("COMMIT"))
                    .hasMessageContaining("createSimpleQuery() is rejected");
            assertThatThrownBy(driver::getReplicationAPI).hasMessageContaining("getReplicationAPI() is rejected");
            assertThatThrownBy(() -> driver.unwrap(org.postgresql.jdbc.PgConnection.class))
                    .hasMessageContaining("unwrap(org.postgresql.jdbc.PgConnection) is rejected");
            assertThat(driver.getFastpathAPI()).isNotNull();
            assertThat(driver.createStatement().getConnection()).isSameAs(tx.connection());
        });
    }

    @Test
    void client_information_is_set_or_rejected_with_the_declared_exception() throws Exception {
        AtomicReference<Connection> kept = new AtomicReference<>();
        work.<Exception>run(tx -> {
            kept.set(tx.connection());
            kept.get().setClientInfo("ApplicationName", "by name");
            assertThat(Sql.query(kept.get(), "SHOW application_name")).isEqualTo("by name");
            Properties properties = new Properties();
            properties.setProperty("ApplicationName", "by properties");
            kept.get().setClientInfo(properties);
            assertThat(Sql.query(kept.get(), "SHOW application_name")).isEqualTo("by properties");
        });
        assertThatThrownBy(() -> kept.get().setClientInfo("ApplicationName", "x"))
                .isInstanceOf(SQLClientInfoException.class)
                .hasMessageContaining("has ended");
    }

    /** A caller's own {@code EngineFactory} may use another driver for the same URL. */
    @Test
    void units_work_without_the_classes_of_the_driver() throws Exception {
        List<URL> classes = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!new File(entry).getName().startsWith("postgresql-")) {
                classes.add(new File(entry).toURI().toURL());
            }
        }
        try (URLClassLoader withoutDriver =
                new URLClassLoader(classes.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> control = withoutDriver.loadClass(PostgresTransactionControl.class.getName());
            Class<?> isolation = withoutDriver.loadClass(Isolation.class.getName());
            Constructor<?> constructor = control.getDeclaredConstructor(Connection.class, isolation);
            constructor.setAccessible(true);
            Method driver = control.getDeclaredMethod("driver");
            driver.setAccessible(true);
            try (Connection connection = engine.dataSource().getConnection()) {
                Object other = constructor.newInstance(connection, isolation.getEnumConstants()[0]);
                assertThat(driver.invoke(other)).isNull();
            }
        }
    }

    // SQL

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{oj COMMIT}",
                "SELECT 1; {OJ  END}",
                "{oj SELECT $}$ ' $$ ; COMMIT --'",
                "SET U&\"transaction_read_only\" = off"
            })
    void sql_is_checked_after_the_driver_has_translated_it(String sql) throws Exception {
        work.<Exception>run(tx -> {
            assertThatThrownBy(() -> Sql.execute(tx.connection(), sql)).hasMessageContaining("is rejected");
            assertThat(Sql.query(tx.connection(), "SELECT {fn abs(-1)}")).isEqualTo("1");
            assertThatThrownBy(() ->
                            tx.<Exception>nested(inner -> Sql.execute(inner.connection(), "SELECT {fn abs('open")))
                    .hasMessageContaining("Unterminated string");
        });
    }

    @Test
    void backslashes_escape_if_the_session_is_configured_so() throws Exception {
        work.<Exception>run(tx -> {
            Sql.execute(
                    tx.connection(),
                    "SET LOCAL standard_conforming_strings = off",
                    "SET LOCAL escape_string_warning = off");
            assertThat(Sql.query(tx.connection(), "SELECT 'a\\'; COMMIT; --'")).isEqualTo("a'; COMMIT; --");
            assertThatThrownBy(() -> Sql.execute(tx.connection(), "SELECT 'a\\'' ; COMMIT"))
                    .hasMessageContaining("COMMIT is rejected");
        });
    }

    /** The batch changes how the server parses its later statements, so the guard cannot detect the COMMIT beforehand. */
    @Test
    void sql_that_ends_the_transaction_undetected_dooms_the_unit_afterwards() throws Exception {
        Engine simple = cache.engine(Database.POSTGRESQL.newUrl(directory) + "?preferQueryMode=simple");
        Sql.execute(simple.dataSource(), "CREATE TABLE item(name TEXT)");
        List<String> hooks = new ArrayList<>();
        assertThatThrownBy(() -> UnitOfWork.on(simple).<Exception>run(tx -> {
                    tx.afterCommit(() -> hooks.add("committed"));
                    Items.insert(tx, "a");
                    Statement statement = tx.connection().createStatement();
                    statement.addBatch("SET standard_conforming_strings = off");
                    statement.addBatch("UPDATE item SET name = 'a\\'' ; COMMIT --'");
                    assertThatThrownBy(statement::executeBatch).hasMessageContaining("SQL has ended the transaction");
                    assertThatThrownBy(() -> Items.insert(tx, "b")).isInstanceOf(SQLException.class);
                }))
                .isInstanceOf(RollbackOnlyException.class)
                .hasStackTraceContaining("SQL has ended the transaction");
        assertThat(hooks).isEmpty();
        UnitOfWork.on(simple).<Exception>run(tx -> Items.insert(tx, "c"));
        assertThat(Items.in(simple.dataSource())).containsExactly("a'", "c");
    }
}
