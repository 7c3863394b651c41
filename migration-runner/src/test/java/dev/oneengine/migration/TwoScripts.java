package dev.oneengine.migration;

import dev.oneengine.cache.EngineCache;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a cache and a folder of two scripts. */
abstract class TwoScripts {
    @TempDir
    Path directory;

    EngineCache cache;
    Folder scripts;

    @BeforeEach
    void createCacheAndScripts() throws IOException {
        cache = EngineCache.create();
        scripts = Folder.withTwoScripts(directory);
    }

    @AfterEach
    void closeCache() {
        cache.close();
    }

    MigrationRunner on(String url) {
        return MigrationRunner.on(url).cache(cache).locations(scripts.location());
    }
}
