package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.cache.Preparation;
import dev.oneengine.testing.DocumentedCode;
import dev.oneengine.testing.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentedCodeTest {
    @AfterEach
    void close() {
        EngineCache.shared().evict("sqlite:///:memory:");
    }

    private record Order(String name) {}

    private record Orders(Connection connection) {
        void add(Order order) throws SQLException {
            insert("INSERT INTO orders VALUES (?)", order);
        }

        private void insert(String sql, Order order) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(1, order.name());
                statement.executeUpdate();
            }
        }
    }

    private record Stock(Connection connection) {
        void take(Order order) throws SQLException {
            new Orders(connection).insert("INSERT INTO taken VALUES (?)", order);
        }
    }

    private record Mail(StringBuilder sent) {
        void confirm(Order order) {
            sent.append(order.name());
        }
    }

    private static void createTables(DataSource dataSource) throws SQLException {
        Sql.execute(dataSource, "CREATE TABLE orders(name TEXT)", "CREATE TABLE taken(name TEXT)");
    }

    @Test
    void the_code_in_the_module_readme_works() throws SQLException {
        Order order = new Order("a book");
        Mail mail = new Mail(new StringBuilder());
        UnitOfWork work = UnitOfWork.builder("sqlite:///:memory:")
                .prepare(Preparation.of("tables", e -> createTables(e.dataSource()))) // once per engine
                .build();

        work.run(tx -> {
            tx.repository(Orders.class, Orders::new).add(order); // Orders has a constructor with a Connection
            tx.repository(Stock.class, Stock::new).take(order); // if this fails, there is no order
            tx.afterCommit(() -> mail.confirm(order)); // runs after the commit of both
        });

        assertThat(mail.sent).hasToString("a book");
        assertThat(Sql.query(work.engine().dataSource(), "SELECT name FROM taken"))
                .isEqualTo("a book");
        assertThatThrownBy(() -> work.run(tx -> Sql.execute(tx.connection(), "COMMIT")))
                .isInstanceOf(SQLException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = "README.md")
    void all_code_in_the_documents_is_tested(String document) {
        assertThat(DocumentedCode.missing(Path.of(document), Path.of("src/test/java")))
                .isEmpty();
    }
}
