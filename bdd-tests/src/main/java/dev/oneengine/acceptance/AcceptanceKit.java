package dev.oneengine.acceptance;

import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which implementation the scenarios run against. Thread-safe. */
public final class AcceptanceKit {
    /**
     * The version of the suite. A release that adds, changes or retires a scenario has another one, so that results of one version
     * can be compared.
     */
    public static final String SUITE_VERSION = "1.0";

    private static final String PROFILE = "oneengine.profile";
    private static final AtomicReference<@Nullable Profile> DEMANDED = new AtomicReference<>();
    private static final AtomicReference<@Nullable Implementation> CHOSEN = new AtomicReference<>();

    private AcceptanceKit() {}

    /**
     * Chooses the implementation for the scenarios that run from now on, such as in a method annotated with JUnit Platform's
     * {@code @BeforeSuite}. It takes the place of one that was chosen before, and of a service.
     *
     * @param implementation what is under test
     */
    public static void use(Implementation implementation) {
        CHOSEN.set(implementation);
    }

    /**
     * Demands the abilities of a profile from now on. By default, the system property {@code oneengine.profile} names the profile.
     *
     * @param profile the profile, or {@code null} for that of the system property
     */
    public static void demand(@Nullable Profile profile) {
        DEMANDED.set(profile);
    }

    /**
     * Returns the abilities whose scenarios must not be skipped.
     *
     * @return the abilities of the demanded profile, or none
     */
    public static Set<Ability> demanded() {
        Profile profile = DEMANDED.get();
        String name = System.getProperty(PROFILE, "");
        if (profile == null && name.isEmpty()) {
            return Set.of();
        }
        return (profile == null ? Profile.of(name) : profile).abilities();
    }

    /** Forgets what was chosen, so that the service is used again. */
    public static void useService() {
        CHOSEN.set(null);
    }

    /**
     * The implementation that scenarios run against.
     *
     * @return the one that was chosen, or else the only service
     * @throws IllegalStateException if none was chosen, and there is no service or more than one
     */
    public static Implementation implementation() {
        Implementation chosen = CHOSEN.get();
        return chosen == null ? onlyService(ServiceLoader.load(Implementation.class)) : chosen;
    }

    static Implementation onlyService(ServiceLoader<Implementation> services) {
        List<ServiceLoader.Provider<Implementation>> found = services.stream().toList();
        if (found.size() == 1) {
            return found.get(0).get();
        }
        String which = found.isEmpty()
                ? "there is no implementation to test"
                : "there are " + found.size() + " implementations to test: "
                        + found.stream()
                                .map(provider -> provider.type().getName())
                                .collect(Collectors.joining(", "));
        throw new IllegalStateException(which + "; name one in META-INF/services/" + Implementation.class.getName()
                + ", or call AcceptanceKit.use in a method annotated with @BeforeSuite");
    }
}
