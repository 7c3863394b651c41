package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.oneengine.cache.Engine;
import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Database;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** The cost of a run besides its scripts: lines in the log, and instances of Flyway. */
class FootprintTest {
    private static final Logger OURS = (Logger) LoggerFactory.getLogger("dev.oneengine");
    private static final Logger FLYWAY = (Logger) LoggerFactory.getLogger("org.flywaydb");

    @TempDir
    Path directory;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private EngineCache cache;
    private Folder scripts;

    @BeforeEach
    void listen() throws IOException {
        cache = EngineCache.create();
        scripts = Folder.withTwoScripts(directory).remove("V2__two.sql");
        log.start();
        listen(OURS, Level.INFO);
        listen(FLYWAY, Level.DEBUG);
    }

    @AfterEach
    void close() {
        for (Logger logger : List.of(OURS, FLYWAY)) {
            logger.detachAppender(log);
            logger.setAdditive(true);
        }
        OURS.setLevel(null);
        FLYWAY.setLevel(Level.OFF);
        cache.close();
    }

    private void listen(Logger logger, Level level) {
        logger.addAppender(log);
        logger.setLevel(level);
        logger.setAdditive(false);
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void each_applied_script_logs_one_line(Database database) throws Exception {
        String url = database.url(directory);
        Engine engine = cache.engine(url);
        log.list.clear();

        MigrationRunner.on(engine).locations(scripts.location()).migrate();

        assertThat(log.list)
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .matches("V1__one\\.sql \\(1 of 1\\) took [0-9]+ ms on "
                        + Pattern.quote(engine.url().toString()));
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .as("the message of Flyway")
                .anyMatch(said -> said.startsWith("Successfully applied 1 migration"));
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_first_run_configures_flyway_twice(Database database) throws Exception {
        AtomicInteger setUps = new AtomicInteger();

        MigrationRunner.on(database.url(directory))
                .cache(cache)
                .locations(scripts.location())
                .configure(flyway -> {
                    setUps.incrementAndGet();
                    return flyway;
                })
                .migrate();

        assertThat(setUps).hasValue(2);
    }
}
