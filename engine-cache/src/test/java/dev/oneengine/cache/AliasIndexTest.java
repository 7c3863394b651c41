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
    void an_added_alias_is_found_until_it_is_removed() {
        assertThat(index.add(TEXT, engine)).isTrue();
        assertThat(index.add(TEXT, engine)).isFalse();
        assertThat(index.find(TEXT)).isSameAs(engine);
        assertThat(index.find(TEXT)).isSameAs(engine);

        index.remove(TEXT);

        assertThat(index.find(TEXT)).isNull();
        assertThat(index.add(TEXT, engine)).isTrue();
    }

    @Test
    void a_slot_keeps_its_first_alias_and_the_index_finds_all() {
        String other = "\u0000".repeat(3) + TEXT; // the same hash code, and so the same slot
        assertThat(other).hasSameHashCodeAs(TEXT);
        index.add(TEXT, engine);
        index.add(other, engine);

        assertThat(index.findInSlots(TEXT)).isSameAs(engine);
        assertThat(index.findInSlots(new String(TEXT.toCharArray()))).isSameAs(engine);
        assertThat(index.findInSlots(other)).isNull();
        assertThat(index.find(other)).isSameAs(engine);

        index.remove(other);
        assertThat(index.findInSlots(TEXT)).isSameAs(engine);
        index.remove(TEXT);
        assertThat(index.findInSlots(TEXT)).isNull();
        index.add(other, engine);
        assertThat(index.findInSlots(other)).isSameAs(engine);
    }

    @Test
    void emptying_the_slots_keeps_the_aliases_in_the_index() {
        index.add(TEXT, engine);

        index.emptySlots();

        assertThat(index.findInSlots(TEXT)).isNull();
        assertThat(index.find(TEXT)).isSameAs(engine);
        index.remove(TEXT);
        index.add(TEXT, engine);
        assertThat(index.findInSlots(TEXT)).isNull();
    }

    /** A hit does not check whether the cache is closed, so a late thread must not be able to add an alias. */
    @Test
    void a_cleared_index_stays_empty() {
        index.add(TEXT, engine);
        index.find(TEXT);

        index.clear();

        assertThat(index.find(TEXT)).isNull();
        assertThat(index.findInSlots(TEXT)).isNull();
        assertThat(index.add(TEXT, engine)).isFalse();
        assertThat(index.find(TEXT)).isNull();
        assertThat(index.findInSlots(TEXT)).isNull();
    }
}
