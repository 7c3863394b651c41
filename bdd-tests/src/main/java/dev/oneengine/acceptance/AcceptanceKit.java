package dev.oneengine.acceptance;

import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Selects the implementation that the scenarios run against. Thread-safe. */
public final class AcceptanceKit {
    /**
     * The version of the suite. Each release that adds, changes or removes a scenario has a new version. Results of the same
     * version can be compared. Each feature has the version as a tag, such as {@code @suite-1.0}, which Cucumber's HTML report shows.
     */
    public static final String SUITE_VERSION = "1.0";

    private static final String PROFILE = "oneengine.profile";
    private static final AtomicReference<@Nullable Profile> DEMANDED = new AtomicReference<>();
    private static final AtomicReference<@Nullable Implementation> CHOSEN = new AtomicReference<>();

    private AcceptanceKit() {}

    /**
     * Selects the implementation for all later scenarios. Call this, for example, in a method annotated with JUnit Platform's
     * {@code @BeforeSuite}. It replaces an implementation selected before, and a service.
     *
     * @param implementation the implementation under test
     */
    public static void use(Implementation implementation) {
        CHOSEN.set(implementation);
    }

    /**
     * Demands the abilities of a profile for all later scenarios. By default, the system property {@code oneengine.profile} names
     * the profile.
     *
     * @param profile the profile, or {@code null} for the profile of the system property
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

    /** Drops the selected implementation, so that the kit uses the service again. */
    public static void useService() {
        CHOSEN.set(null);
    }

    /**
     * Returns the implementation that the scenarios run against.
     *
     * @return the selected implementation, or else the only service
     * @throws IllegalStateException if none was selected, and there is no service or more than one
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
