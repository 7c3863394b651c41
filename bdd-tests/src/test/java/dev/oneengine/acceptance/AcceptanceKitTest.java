package dev.oneengine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AcceptanceKitTest {
    @TempDir
    Path folder;

    @BeforeEach
    @AfterEach
    void forget() {
        AcceptanceKit.useService();
    }

    /** A second service, in addition to the one that the tests always have. */
    public static final class Other implements Implementation {
        @Override
        public CacheUnderTest cache(Creation creation) {
            return new RightCache(creation);
        }
    }

    @Test
    void a_chosen_implementation_is_used() {
        Implementation implementation = RightCache::new;
        AcceptanceKit.use(implementation);
        assertThat(AcceptanceKit.implementation()).isSameAs(implementation);
        assertThat(implementation.abilities()).isEmpty();
    }

    @Test
    void the_only_registered_service_is_used() {
        assertThat(AcceptanceKit.implementation()).isInstanceOf(OneEngine.class);
    }

    @Test
    void a_missing_implementation_is_an_error() {
        assertThatThrownBy(() -> AcceptanceKit.onlyService(
                        ServiceLoader.load(Implementation.class, ClassLoader.getPlatformClassLoader())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("there is no implementation to test")
                .hasMessageContaining("META-INF/services/dev.oneengine.acceptance.Implementation")
                .hasMessageContaining("AcceptanceKit.use");
    }

    @Test
    void two_registered_services_are_an_error() throws IOException {
        Path file = folder.resolve("META-INF/services/" + Implementation.class.getName());
        Files.createDirectories(file.getParent());
        Files.writeString(file, Other.class.getName());
        URL[] path = {folder.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(path, getClass().getClassLoader())) {
            ServiceLoader<Implementation> services = ServiceLoader.load(Implementation.class, loader);
            assertThatThrownBy(() -> AcceptanceKit.onlyService(services))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            "there are 2 implementations to test", OneEngine.class.getName(), Other.class.getName());
        }
    }

    @Test
    void a_profile_demands_abilities() {
        assertThat(AcceptanceKit.demanded()).isEmpty();
        AcceptanceKit.demand(Profile.CACHE);
        assertThat(AcceptanceKit.demanded()).containsExactlyInAnyOrder(Ability.EVICTION, Ability.CLOSING);
        AcceptanceKit.demand(null);
        System.setProperty("oneengine.profile", "full");
        try {
            assertThat(AcceptanceKit.demanded()).contains(Ability.values());
        } finally {
            System.clearProperty("oneengine.profile");
        }
        assertThat(Profile.of("cache+units").abilities()).contains(Ability.UNITS_OF_WORK);
        assertThat(Profile.FULL).hasToString("full");
        assertThatThrownBy(() -> Profile.of("all"))
                .hasMessage("There is no profile all; choose cache, cache+units or full");
    }

    @Test
    void each_ability_has_a_tag() {
        assertThat(Ability.UNITS_OF_WORK.tag()).isEqualTo("@units-of-work");
        assertThat(Ability.FILES.tag()).isEqualTo("@files");
    }
}
