package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.testing.Race;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TextIndexTest {
    private static final String TEXT = "jdbc:sqlite:file:a?mode=memory";

    private final EngineCache cache = EngineCache.create(new CountingFactory(), EngineSettings.defaults());
    private final Engine engine = cache.engine(TEXT);
    private final TextIndex index = new TextIndex();

    @AfterEach
    void close() {
        cache.close();
    }

    @Test
    void a_text_is_added_once_and_found_until_it_is_removed() {
        assertThat(index.add(TEXT, engine)).isTrue();
        assertThat(index.add(TEXT, engine)).isFalse();
        assertThat(index.hit(TEXT)).isSameAs(engine);
        assertThat(index.hit(TEXT)).isSameAs(engine);

        index.remove(TEXT);

        assertThat(index.hit(TEXT)).isNull();
        assertThat(index.add(TEXT, engine)).isTrue();
    }

    /** A hit does not ask whether the cache is closed: a thread that is late with its text must not bring an engine back. */
    @Test
    void nothing_comes_after_the_clearing() {
        index.add(TEXT, engine);
        index.hit(TEXT);

        index.clear();

        assertThat(index.hit(TEXT)).isNull();
        assertThat(index.add(TEXT, engine)).isFalse();
        assertThat(index.hit(TEXT)).isNull();
    }

    /** A thread remembers the text it asks for; which one that is must make no difference. */
    @Test
    void a_thread_that_changes_its_text_finds_both_and_neither_once_removed() {
        String other = "jdbc:sqlite:file:b?mode=memory";
        Engine otherEngine = cache.engine(other);
        index.add(TEXT, engine);
        index.add(other, otherEngine);
        index.hit(TEXT);
        for (int i = 0; i < 200; i++) {
            assertThat(index.hit(new String(other.toCharArray()))).isSameAs(otherEngine);
        }
        assertThat(index.hit(TEXT)).isSameAs(engine);
        assertThat(index.hits()).isEqualTo(202);

        index.remove(other);

        assertThat(index.hit(other)).isNull();
        assertThat(index.hit(TEXT)).isSameAs(engine);
        index.remove(TEXT);
        assertThat(index.hit(TEXT)).isNull();
        assertThat(index.hits()).isEqualTo(203);
    }

    @Test
    void every_hit_of_every_thread_is_counted_also_of_more_than_have_a_place() {
        index.add(TEXT, engine);
        for (int round = 0; round < 10; round++) {
            Race.run(16, i -> {
                for (int hit = 0; hit < 1_000; hit++) {
                    assertThat(index.hit(TEXT)).isSameAs(engine);
                }
                return i;
            });
        }
        assertThat(index.hits()).isEqualTo(160_000);
    }
}
