package dev.oneengine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineHolderTest {
    private final EngineCache cache = EngineCache.create();
    private final Engine engine = cache.engine("sqlite:///:memory:");
    private final EngineHolder holder = new EngineHolder(engine.url());
    private final AliasIndex index = new AliasIndex();

    @AfterEach
    void close() {
        cache.close();
    }

    @Test
    void an_engine_has_a_limited_number_of_aliases() {
        assertThat(holder.open(engine, new AtomicLong())).isTrue();
        for (int i = 0; i < 3; i++) {
            holder.addAlias("text " + i, 2, index);
        }
        assertThat(index.find("text 0")).isSameAs(engine);
        assertThat(index.find("text 1")).isSameAs(engine);
        assertThat(index.find("text 2")).isNull();
    }

    @Test
    void a_closed_engine_has_no_alias() {
        assertThat(holder.open(engine, new AtomicLong())).isTrue();
        holder.addAlias("before", 2, index);
        assertThat(holder.close(true, index, () -> {})).isTrue();
        holder.addAlias("after", 2, index);
        assertThat(index.find("before")).isNull();
        assertThat(index.find("after")).isNull();
    }

    @Test
    void an_engine_is_closed_once() {
        assertThat(holder.open(engine, new AtomicLong())).isTrue();
        assertThat(holder.close(true, index, () -> {})).isTrue();
        assertThat(holder.close(true, index, () -> {})).isFalse();
        assertThat(engine.isClosed()).isTrue();
    }

    @Test
    void an_engine_whose_holder_was_closed_meanwhile_does_not_open() {
        assertThat(holder.close(false, index, () -> {})).isFalse();
        assertThat(holder.open(engine, new AtomicLong())).isFalse();
        assertThat(holder.engineIfOpen()).isNull();
    }

    @Test
    void closing_only_created_engines_ignores_an_engine_in_creation() {
        assertThat(holder.close(true, index, () -> {})).isFalse();
        assertThat(holder.open(engine, new AtomicLong())).isTrue();
        assertThat(holder.engineIfOpen()).isSameAs(engine);
    }
}
