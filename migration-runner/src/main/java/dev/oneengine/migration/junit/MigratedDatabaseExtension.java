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
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.junit.jupiter.api.extension.TestInstances;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ModifierSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Gives each test its own migrated database, in parameters of the test, of its {@code @BeforeEach} methods or of the constructor. All
 * parameters of one test have the same database. A parameter may have one of these types:
 *
 * <ul>
 *   <li>{@link Engine} and {@link DataSource};
 *   <li>each type with a public static method {@code on(Engine)} that returns it: {@code UnitOfWork}, {@link MigrationRunner} with
 *       its default settings, and types of the tests.
 * </ul>
 *
 * <p>{@link CurrentFork} leads to the same database without parameters. {@link MigratedDatabase} is the short form of this extension,
 * which takes any runner:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final MigratedDatabaseExtension DATABASE = MigratedDatabaseExtension.of(
 *         MigrationRunner.on("sqlite:///:memory:").placeholder("owner", "test"), engine -> insertCountries(engine));
 * }</pre>
 *
 * <p>The field may be static or not, and may belong to a superclass. Each test class migrates once. If that fails, each of its tests
 * fails with the reason.
 *
 * <p>Annotated parameters, such as those with {@code @Autowired}, and parameters of an annotated constructor belong to other
 * extensions. Annotations of nullness do not count.
 *
 * <p>Thread-safe: tests may run in parallel.
 */
public final class MigratedDatabaseExtension
        implements TestInstancePreConstructCallback, BeforeEachCallback, InvocationInterceptor, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(MigratedDatabaseExtension.class);

    /** The simple names of annotations of nullness, which exist in several packages. */
    private static final Set<String> NULLNESS = Set.of("NonNull", "Nonnull", "NotNull", "Nullable");

    private final @Nullable MigrationRunner runner;
    private final Preparation.@Nullable Action seed;

    /** The key of a template that all classes with an equal annotation share. */
    private record TemplateOf(String url, List<String> locations, Class<? extends Preparation.Action> seed) {}

    /** The key of a fork in the store of its test. That store also shows the keys of the whole run, so this key has its own type. */
    private record ForkOf(MigratedDatabaseExtension extension) {}

    /**
     * The key of a template for an instance field. Each instance of the test class has its own extension in that field, and all of them
     * share the template.
     */
    private record FieldOf(Class<?> type, Field field) {}

    /** The key of the only attempt to migrate for a test class. */
    private record AttemptOf(Object template) {}

    /** A template in the store of its owner. The store itself would keep a failure, and no other class could retry. Thread-safe. */
    private static final class SharedTemplate implements AutoCloseable {
        private final Object lock = new Object();
        private @Nullable MigratedTemplate template; // guarded by the lock

        MigratedTemplate get(Supplier<MigratedTemplate> creation) {
            synchronized (lock) {
                if (template == null) {
                    template = creation.get();
                }
                return template;
            }
        }

        @Override
        public void close() {
            synchronized (lock) {
                if (template != null) {
                    template.close();
                }
            }
        }
    }

    /** A template, or the failure to create it. */
    private record Attempt(
            @Nullable MigratedTemplate template, @Nullable Throwable failure) {
        static Attempt at(Supplier<MigratedTemplate> creation) {
            try {
                return new Attempt(creation.get(), null);
            } catch (Throwable t) {
                return new Attempt(null, t);
            }
        }

        MigratedTemplate get() {
            if (template == null) {
                throw new ParameterResolutionException(
                        "Cannot give this test a database: the migration failed once for all tests of the class: "
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
     * Creates an extension for {@link org.junit.jupiter.api.extension.RegisterExtension}.
     *
     * @param runner the runner with the scripts and the kind of database
     * @return the extension, which migrates when the first test needs it
     */
    public static MigratedDatabaseExtension of(MigrationRunner runner) {
        return of(runner, engine -> {});
    }

    /**
     * Creates an extension for {@link org.junit.jupiter.api.extension.RegisterExtension}.
     *
     * @param runner the runner with the scripts and the kind of database
     * @param seed adds data for all tests, after the scripts
     * @return the extension, which migrates when the first test needs it
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
        // If a class has one instance for all its tests, no test is running yet.
        if (context.getTestMethod().isPresent()) {
            enter(context);
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        enter(context);
    }

    // JUnit may run any of the following in a thread that has not entered the test: with a timeout in a separate
    // thread, and dynamic
    // tests in parallel.

    @Override
    public void interceptBeforeEachMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        inTest(invocation, context);
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        inTest(invocation, context);
    }

    @Override
    public <T extends @Nullable Object> T interceptTestFactoryMethod(
            Invocation<T> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        return inTest(invocation, context);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        inTest(invocation, context);
    }

    @Override
    public void interceptDynamicTest(
            Invocation<@Nullable Void> invocation, DynamicTestInvocationContext test, ExtensionContext context)
            throws Throwable {
        inTest(invocation, context);
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        inTest(invocation, context);
    }

    private static <T extends @Nullable Object> T inTest(Invocation<T> invocation, ExtensionContext context)
            throws Throwable {
        RunningTest test = context.getStore(NAMESPACE).get(RunningTest.class, RunningTest.class);
        return Objects.requireNonNull(test, "a test that beforeEach has not entered")
                .call(invocation);
    }

    /** Makes {@link CurrentFork} lead to the database of this extension. */
    private void enter(ExtensionContext context) {
        context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(RunningTest.class, key -> RunningTest.enter(context), RunningTest.class)
                .add(this, () -> fork(context));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return (type == Engine.class || type == DataSource.class || factoryMethod(type) != null)
                && !belongsToOther(parameter);
    }

    /** Whether an annotation requests a value from another extension. */
    private static boolean belongsToOther(ParameterContext parameter) {
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
                        ReflectionSupport.invokeMethod(Objects.requireNonNull(factoryMethod(type)), null, fork));
    }

    /** Returns the static method that creates an object for an engine. */
    private static @Nullable Method factoryMethod(Class<?> type) {
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
                    "A migrated database belongs to one test: request it in the test or in @BeforeEach, not in @BeforeAll or "
                            + "in the constructor of a class with one instance for all tests");
        }
        // JUnit closes the values in its stores: the fork after the test, the template after the run.
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(new ForkOf(this), key -> template(context).fork(), Engine.class);
    }

    private MigratedTemplate template(ExtensionContext context) {
        if (runner != null) {
            FieldOf field = field(context);
            Preparation.Action data = Objects.requireNonNull(seed);
            Supplier<MigratedTemplate> creation = () -> MigratedTemplate.of(runner, data);
            return field == null
                    ? template(context, context.getRoot(), this, creation)
                    : template(context, ofClass(context), field, creation);
        }
        MigratedDatabase annotation = AnnotationSupport.findAnnotation(
                        context.getRequiredTestClass(), MigratedDatabase.class, context.getEnclosingTestClasses())
                .orElseThrow(() -> new ParameterResolutionException("Annotate "
                        + context.getRequiredTestClass().getName()
                        + " with @MigratedDatabase, or register an extension "
                        + "with a runner"));
        MigrationRunner runnerOfAnnotation =
                MigrationRunner.on(annotation.url()).locations(annotation.locations());
        return template(
                context,
                context.getRoot(),
                new TemplateOf(annotation.url(), List.of(annotation.locations()), annotation.seed()),
                () -> MigratedTemplate.of(runnerOfAnnotation, ReflectionSupport.newInstance(annotation.seed())));
    }

    /** Returns the instance field that holds this extension, or {@code null}. */
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

    /** Returns a template that lives as long as its owner. A failure to create it lives as long as the test class. */
    private static MigratedTemplate template(
            ExtensionContext context, ExtensionContext owner, Object key, Supplier<MigratedTemplate> creation) {
        // JUnit closes a template with the store of its owner, but never closes an attempt.
        SharedTemplate shared = owner.getStore(NAMESPACE)
                .getOrComputeIfAbsent(key, ignored -> new SharedTemplate(), SharedTemplate.class);
        return ofClass(context)
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(
                        new AttemptOf(key), ignored -> Attempt.at(() -> shared.get(creation)), Attempt.class)
                .get();
    }

    /** Returns the context of the outermost test class. */
    private static ExtensionContext ofClass(ExtensionContext context) {
        ExtensionContext type = context;
        while (type.getParent().flatMap(ExtensionContext::getTestClass).isPresent()) {
            type = type.getParent().orElseThrow();
        }
        return type;
    }
}
