package dev.oneengine.recipes;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Database;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs a recipe on each database, with a new cache and an empty database. Confined to its thread. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Database.class)
abstract class Recipe {
    @Parameter
    Database database;

    @TempDir
    Path directory;

    EngineCache cache;
    String url;

    @BeforeEach
    void openCache() throws SQLException {
        cache = EngineCache.create();
        url = database.url(directory);
    }

    @AfterEach
    void closeCache() {
        cache.close();
    }
}
