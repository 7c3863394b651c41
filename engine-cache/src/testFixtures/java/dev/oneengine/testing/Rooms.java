package dev.oneengine.testing;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The rooms of a module: groups of classes within its packages, lowest first. Each class is in one room. A room depends only on itself
 * and earlier rooms. Within a room, a cycle of classes needs a reason.
 *
 * <p>Names are relative to the root package, such as {@code Engine} or {@code url.UrlParser}; {@code url.*} stands for all classes of a
 * package. A nested class is in the room of its outermost class.
 *
 * <p>Not thread-safe.
 */
public final class Rooms {
    private final String root;
    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> roomOf = new HashMap<>();
    private final Set<Set<String>> cycles = new LinkedHashSet<>();
    private final List<String> violations = new ArrayList<>();

    private Rooms(String root) {
        this.root = root;
    }

    /**
     * Creates a module without rooms.
     *
     * @param root the module's root package
     * @return a module to which rooms can be added
     */
    public static Rooms of(String root) {
        return new Rooms(root);
    }

    /**
     * Adds a room, which may depend on all rooms before it.
     *
     * @param name the subject of the room, for messages
     * @param classes its classes
     * @return this object
     */
    public Rooms room(String name, String... classes) {
        for (String type : classes) {
            if (roomOf.put(type, names.size()) != null) {
                violations.add(type + " is in more than one room");
            }
        }
        names.add(name);
        return this;
    }

    /**
     * Permits a cycle of classes in one room.
     *
     * @param reason why the classes need each other
     * @param classes all classes of the cycle
     * @return this object
     */
    public Rooms cycle(String reason, String... classes) {
        if (reason.isBlank()) {
            violations.add("the cycle " + Arrays.toString(classes) + " has no reason");
        }
        cycles.add(Set.of(classes));
        return this;
    }

    /**
     * Checks the main classes of the module.
     *
     * @throws AssertionError if a rule is broken; the message lists each violation
     */
    public void check() {
        JavaClasses module = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("/testFixtures/"))
                .importPackages(root);
        List<String> found = violations(module);
        if (!found.isEmpty()) {
            throw new AssertionError("The rooms of " + root + ":\n" + String.join("\n", found));
        }
    }

    /** Returns the violations in these classes. */
    List<String> violations(Iterable<JavaClass> classes) {
        List<String> found = new ArrayList<>(violations);
        Map<String, Set<String>> dependencies = dependencies(classes);
        Set<String> unused = new TreeSet<>(roomOf.keySet());
        for (String type : dependencies.keySet()) {
            unused.remove(type);
            unused.remove(packageOf(type));
            if (room(type) < 0) {
                found.add(type + " is in no room");
            }
        }
        unused.forEach(type -> found.add(type + " does not exist"));
        dependencies.forEach((type, others) -> others.stream()
                .filter(other -> room(type) >= 0 && room(other) > room(type))
                .forEach(other -> found.add(type + " in \"" + names.get(room(type)) + "\" depends on " + other
                        + " in the later room \"" + names.get(room(other)) + "\"")));
        addCycles(dependencies, found);
        return found;
    }

    private void addCycles(Map<String, Set<String>> dependencies, List<String> found) {
        Set<Set<String>> unknown = new LinkedHashSet<>(cycles);
        for (Set<String> cycle : knots(withinRooms(dependencies))) {
            if (!unknown.remove(cycle)) {
                found.add(new TreeSet<>(cycle) + " form a cycle without a reason");
            }
        }
        unknown.forEach(cycle -> found.add(new TreeSet<>(cycle) + " form no cycle; remove the reason"));
    }

    /** Leaves out dependencies between rooms, because a cycle through two rooms would hide the cycles within each of them. */
    private Map<String, Set<String>> withinRooms(Map<String, Set<String>> dependencies) {
        Map<String, Set<String>> within = new TreeMap<>();
        dependencies.forEach((type, others) -> within.put(
                type,
                others.stream()
                        .filter(other -> room(other) == room(type))
                        .collect(Collectors.toCollection(TreeSet::new))));
        return within;
    }

    /** Returns the outermost classes of the module, each with the classes that it depends on. */
    private Map<String, Set<String>> dependencies(Iterable<JavaClass> classes) {
        Map<String, Set<String>> dependencies = new TreeMap<>();
        for (JavaClass type : classes) {
            if (!type.getSimpleName().endsWith("-info")) {
                dependencies.computeIfAbsent(name(type), none -> new TreeSet<>());
            }
        }
        for (JavaClass type : classes) {
            Set<String> others = dependencies.getOrDefault(name(type), new HashSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(Dependency::getTargetClass)
                    .map(JavaClass::getBaseComponentType)
                    .map(this::name)
                    .filter(dependencies::containsKey)
                    .forEach(others::add);
            others.remove(name(type));
        }
        return dependencies;
    }

    /** The name of the outermost class, relative to the root. */
    private String name(JavaClass type) {
        String name = type.getFullName();
        int nested = name.indexOf('$');
        String outermost = nested < 0 ? name : name.substring(0, nested);
        return outermost.startsWith(root + ".") ? outermost.substring(root.length() + 1) : outermost;
    }

    private static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('.') + 1) + "*";
    }

    private int room(String type) {
        return roomOf.getOrDefault(type, roomOf.getOrDefault(packageOf(type), -1));
    }

    /** Returns the largest groups of two or more classes in which each class depends on all others, directly or not. */
    private static Collection<Set<String>> knots(Map<String, Set<String>> dependencies) {
        Map<String, Set<String>> reachable = new TreeMap<>();
        dependencies.keySet().forEach(type -> reachable.put(type, reachable(type, dependencies)));
        Set<Set<String>> knots = new LinkedHashSet<>();
        reachable.forEach((type, others) -> {
            Set<String> knot = new TreeSet<>(others);
            knot.removeIf(other -> !reachable.getOrDefault(other, Set.of()).contains(type));
            if (knot.size() > 1) {
                knots.add(knot);
            }
        });
        return knots;
    }

    private static Set<String> reachable(String type, Map<String, Set<String>> dependencies) {
        Set<String> reached = new TreeSet<>();
        List<String> open = new ArrayList<>(dependencies.getOrDefault(type, Set.of()));
        while (!open.isEmpty()) {
            String next = open.remove(open.size() - 1);
            if (reached.add(next)) {
                open.addAll(dependencies.getOrDefault(next, Set.of()));
            }
        }
        return reached;
    }
}
