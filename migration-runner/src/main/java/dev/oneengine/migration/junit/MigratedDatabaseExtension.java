package dev.oneengine.migration.junit;

import dev.oneengine.cache.Engine;
import dev.oneengine.cache.Preparation;
import dev.oneengine.migration.MigratedTemplate;
import dev.oneengine.migration.MigrationRunner;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.junit.jupiter.api.extension.TestInstances;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ModifierSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Gives each test a migrated database of its own, as parameters of the test, of its set-up methods or of the constructor: all of
 * one test have the same database. What can be a parameter:
 *
 * <ul>
 *   <li>{@link Engine} and {@link DataSource};
 *   <li>everything that has a public static method {@code on(Engine)} which makes one: {@code UnitOfWork},
 *       {@link MigrationRunner}, and what the tests bring of that kind.
 * </ul>
 *
 * <p>{@link MigratedDatabase} is the short form. This one takes any runner:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final MigratedDatabaseExtension DATABASE = MigratedDatabaseExtension.of(
 *         MigrationRunner.on("sqlite:///:memory:").placeholder("owner", "test"), engine -> insertCountries(engine));
 * }</pre>
 *
 * <p>The field may be static or not, and of a superclass. Each test class migrates once. If that fails, each of its tests fails with
 * the reason.
 *
 * <p>Annotated parameters, such as those with {@code @Autowired}, and parameters of an annotated constructor belong to other
 * extensions. Annotations that only say whether a parameter may be {@code null} do not count.
 *
 * <p>Thread-safe: tests may run in parallel.
 */
public final class MigratedDatabaseExtension
        implements TestInstancePreConstructCallback, BeforeEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(MigratedDatabaseExtension.class);

    /** The names of annotations that ask nobody for a value, in whatever package. */
    private static final Set<String> NULLNESS = Set.of("NonNull", "Nonnull", "NotNull", "Nullable");

    private final @Nullable MigrationRunner runner;
    private final Preparation.@Nullable Action seed;

    /** Templates are told apart by this, so that classes that ask for the same share one. */
    private record Wish(String url, List<String> locations, Class<? extends Preparation.Action> seed) {}

    /** By this, a test finds its fork: the store of a test also shows what is in that of the run. */
    private record ForkOf(MigratedDatabaseExtension extension) {}

    /** A field has another extension in each instance of the test class, and they share a template. */
    private record FieldOf(Class<?> type, Field field) {}

    /** By this, the tests of a class find the outcome of the one attempt to migrate. */
    private record AttemptOf(Object template) {}

    /** A template, or the reason why there is none. */
    private record Attempt(
            @Nullable MigratedTemplate template, @Nullable Throwable failure) {
        static Attempt at(Supplier<MigratedTemplate> making) {
            try {
                return new Attempt(making.get(), null);
            } catch (Throwable t) {
                return new Attempt(null, t);
            }
        }

        MigratedTemplate get() {
            if (template == null) {
                throw new ParameterResolutionException(
                        "There is no database for this test, because migrating it failed once for all tests of the class: "
                                + failure,
                        Objects.requireNonNull(failure));
            }
            return template;
        }
    }

    /** For {@link MigratedDatabase}. */
    MigratedDatabaseExtension() {
        this(null, null);
    }

    private MigratedDatabaseExtension(@Nullable MigrationRunner runner, Preparation.@Nullable Action seed) {
        this.runner = runner;
        this.seed = seed;
    }

    /**
     * Makes an extension for {@link org.junit.jupiter.api.extension.RegisterExtension}.
     *
     * @param runner says how to migrate, and what kind of database
     * @return the extension; its template is made when the first test needs it
     */
    public static MigratedDatabaseExtension of(MigrationRunner runner) {
        return of(runner, engine -> {});
    }

    /**
     * Makes an extension for {@link org.junit.jupiter.api.extension.RegisterExtension}.
     *
     * @param runner says how to migrate, and what kind of database
     * @param seed puts data into the template
     * @return the extension; its template is made when the first test needs it
     */
    public static MigratedDatabaseExtension of(MigrationRunner runner, Preparation.Action seed) {
        return new MigratedDatabaseExtension(runner, seed);
    }

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
        // One instance for all tests of a class has no test yet.
        if (context.getTestMethod().isPresent()) {
            enter(context);
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        enter(context);
    }

    /** Makes the database of this extension the one that {@link CurrentFork} leads to. */
    private void enter(ExtensionContext context) {
        context.getStore(NAMESPACE)
                .computeIfAbsent(RunningTest.class, key -> RunningTest.enter(context), RunningTest.class)
                .add(this, () -> fork(context));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return (type == Engine.class || type == DataSource.class || maker(type) != null) && !isOfAnother(parameter);
    }

    /** Whether an annotation asks another extension for a value. */
    private static boolean isOfAnother(ParameterContext parameter) {
        return Arrays.stream(parameter.getParameter().getAnnotations())
                        .anyMatch(annotation ->
                                !NULLNESS.contains(annotation.annotationType().getSimpleName()))
                || (parameter.getDeclaringExecutable() instanceof Constructor<?> constructor
                        && constructor.getAnnotations().length > 0);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Engine fork = fork(context);
        Class<?> type = parameter.getParameter().getType();
        if (type == Engine.class) {
            return fork;
        }
        return type == DataSource.class
                ? fork.dataSource()
                : Objects.requireNonNull(
                        ReflectionSupport.invokeMethod(Objects.requireNonNull(maker(type)), null, fork));
    }

    /** The static method that makes an object for an engine. */
    private static @Nullable Method maker(Class<?> type) {
        try {
            Method method = type.getMethod("on", Engine.class);
            return Modifier.isStatic(method.getModifiers()) && type.isAssignableFrom(method.getReturnType())
                    ? method
                    : null;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private Engine fork(ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException(
                    "A migrated database belongs to one test: take it in the test or in @BeforeEach, not in @BeforeAll or "
                            + "in the constructor of a class with one instance for all tests");
        }
        // JUnit closes what is in its store: the fork with the test, the template with the run.
        return context.getStore(NAMESPACE)
                .computeIfAbsent(new ForkOf(this), key -> template(context).fork(), Engine.class);
    }

    private MigratedTemplate template(ExtensionContext context) {
        if (runner != null) {
            FieldOf field = field(context);
            Preparation.Action data = Objects.requireNonNull(seed);
            Supplier<MigratedTemplate> making = () -> MigratedTemplate.of(runner, data);
            return field == null
                    ? template(context, context.getRoot(), this, making)
                    : template(context, ofClass(context), field, making);
        }
        MigratedDatabase asked = AnnotationSupport.findAnnotation(
                        context.getRequiredTestClass(), MigratedDatabase.class, context.getEnclosingTestClasses())
                .orElseThrow(() -> new ParameterResolutionException("Annotate "
                        + context.getRequiredTestClass().getName()
                        + " with @MigratedDatabase, or register an extension "
                        + "with a runner"));
        MigrationRunner told = MigrationRunner.on(asked.url()).locations(asked.locations());
        return template(
                context,
                context.getRoot(),
                new Wish(asked.url(), List.of(asked.locations()), asked.seed()),
                () -> MigratedTemplate.of(told, ReflectionSupport.newInstance(asked.seed())));
    }

    /** The field that holds this extension, if each instance of its class has an extension of its own. */
    private @Nullable FieldOf field(ExtensionContext context) {
        List<Object> instances =
                context.getTestInstances().map(TestInstances::getAllInstances).orElse(List.of());
        for (Object instance : instances) {
            for (Field field : AnnotationSupport.findAnnotatedFields(instance.getClass(), RegisterExtension.class)) {
                if (ModifierSupport.isNotStatic(field)
                        && ReflectionSupport.tryToReadFieldValue(field, instance)
                                .toOptional()
                                .filter(this::equals)
                                .isPresent()) {
                    return new FieldOf(instance.getClass(), field);
                }
            }
        }
        return null;
    }

    /** A template that lives as long as its owner. A failure to make it is kept as long as the test class. */
    private static MigratedTemplate template(
            ExtensionContext context, ExtensionContext owner, Object key, Supplier<MigratedTemplate> making) {
        // JUnit closes templates with the store that they are in, and attempts never.
        Supplier<MigratedTemplate> kept =
                () -> owner.getStore(NAMESPACE).computeIfAbsent(key, ignored -> making.get(), MigratedTemplate.class);
        return ofClass(context)
                .getStore(NAMESPACE)
                .computeIfAbsent(new AttemptOf(key), ignored -> Attempt.at(kept), Attempt.class)
                .get();
    }

    /** The test class, or for a nested one the class around it. */
    private static ExtensionContext ofClass(ExtensionContext context) {
        ExtensionContext type = context;
        while (type.getParent().flatMap(ExtensionContext::getTestClass).isPresent()) {
            type = type.getParent().orElseThrow();
        }
        return type;
    }
}
