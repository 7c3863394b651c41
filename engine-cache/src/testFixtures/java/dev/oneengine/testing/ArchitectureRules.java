package dev.oneengine.testing;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import org.jspecify.annotations.NullMarked;

/** The rules that every module keeps. Stateless and thread-safe. */
public final class ArchitectureRules {
    private ArchitectureRules() {}

    /**
     * Checks the main classes of a module.
     *
     * @param root the module's root package
     * @param mayUse the packages that the module may depend on besides its own and {@code java}; two dots stand for all
     * packages below
     */
    public static void check(String root, String... mayUse) {
        JavaClasses module = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("/testFixtures/"))
                .importPackages(root);
        if (module.isEmpty()) {
            throw new IllegalArgumentException("There are no classes in " + root);
        }
        rules(root, mayUse).forEach(rule -> rule.check(module));
    }

    static List<ArchRule> rules(String root, String... mayUse) {
        return List.of(
                classes()
                        .should()
                        .onlyDependOnClassesThat(resideInAnyPackage(root + "..", "java..", "org.jspecify.annotations..")
                                .or(resideInAnyPackage(mayUse)))
                        .because("a module depends on what its place in the architecture allows"),
                slices().assignedFrom(packages()).should().beFreeOfCycles(),
                classes().should(resideInANullMarkedPackage()),
                fields().that()
                        .areNotFinal()
                        .should()
                        .bePrivate()
                        .allowEmptyShould(true)
                        .because("what can change is guarded by the class that holds it"),
                methods()
                        .should()
                        .notHaveModifier(JavaModifier.SYNCHRONIZED)
                        .because("a lock on the object itself can be held by any other code"));
    }

    /** Each package is a slice, including the root, which a pattern of slices would leave out. */
    private static SliceAssignment packages() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return SliceIdentifier.of(type.getPackageName());
            }

            @Override
            public String getDescription() {
                return "packages";
            }
        };
    }

    private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
        return new ArchCondition<>("reside in a package annotated with @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
                events.add(
                        new SimpleConditionEvent(type, marked, type.getFullName() + " is in " + type.getPackageName()));
            }
        };
    }
}
