package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AliasIndexTest {
    private static final String TEXT = "jdbc:sqlite:file:a?mode=memory";

    private final EngineCache cache = EngineCache.create(new CountingFactory(), EngineSettings.defaults());
    private final Engine engine = cache.engine(TEXT);
    private final AliasIndex index = new AliasIndex();

    @AfterEach
    void close() {
        cache.close();
    }

    @Test
    void an_alias_is_added_once_and_found_until_it_is_removed() {
        assertThat(index.add(TEXT, engine)).isTrue();
        assertThat(index.add(TEXT, engine)).isFalse();
        assertThat(index.find(TEXT)).isSameAs(engine);
        assertThat(index.find(TEXT)).isSameAs(engine);

        index.remove(TEXT);

        assertThat(index.find(TEXT)).isNull();
        assertThat(index.add(TEXT, engine)).isTrue();
    }

    /** A hit does not ask whether the cache is closed: a thread that is late with its text must not bring an engine back. */
    @Test
    void a_cleared_index_stays_empty() {
        index.add(TEXT, engine);
        index.find(TEXT);

        index.clear();

        assertThat(index.find(TEXT)).isNull();
        assertThat(index.add(TEXT, engine)).isFalse();
        assertThat(index.find(TEXT)).isNull();
    }
}
