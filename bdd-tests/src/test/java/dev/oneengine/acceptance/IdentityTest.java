package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteDataSource;

class IdentityTest {
    @Test
    void an_object_is_compared_by_reference() {
        List<String> object = new ArrayList<>();
        Identity identity = Identity.of(object);
        assertThat(identity).isEqualTo(Identity.of(object)).hasSameHashCodeAs(Identity.of(object));
        assertThat(identity).isNotEqualTo(Identity.of(new ArrayList<>())).isNotEqualTo(object);
        assertThat(identity).isNotEqualTo(Identity.outside("ArrayList"));
        assertThat(identity.toString()).startsWith("ArrayList@");
        assertThat(identity.object()).containsSame(object);
    }

    @Test
    void an_engine_outside_the_jvm_is_compared_by_name() {
        Identity identity = Identity.outside("e1");
        assertThat(identity).isEqualTo(Identity.outside("e1")).hasSameHashCodeAs(Identity.outside("e1"));
        assertThat(identity).isNotEqualTo(Identity.outside("e2")).isNotEqualTo(Identity.of("e1"));
        assertThat(identity).hasToString("e1");
        assertThat(identity.object()).isEmpty();
    }

    @Test
    void an_adapter_is_rejected_as_an_identity() {
        CacheUnderTest adapter = new MyCacheTest.MyCacheUnderTest(new MyCache(url -> {}));
        EngineUnderTest engine = EngineUnderTest.of("any", new SQLiteDataSource(), () -> {});
        assertThatThrownBy(() -> Identity.of(adapter)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Identity.of(engine)).hasMessageContaining("the engine itself");
        assertThatThrownBy(() -> Identity.of(Identity.outside("e1"))).isInstanceOf(IllegalArgumentException.class);
    }
}
