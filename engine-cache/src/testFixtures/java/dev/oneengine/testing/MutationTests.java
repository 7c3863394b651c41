package dev.oneengine.testing;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.pitest.classinfo.ClassByteArraySource;
import org.pitest.help.PitHelpError;
import org.pitest.testapi.Configuration;
import org.pitest.testapi.TestGroupConfig;
import org.pitest.testapi.TestPluginFactory;
import org.pitest.testapi.TestSuiteFinder;
import org.pitest.testapi.TestUnit;
import org.pitest.testapi.TestUnitExecutionListener;
import org.pitest.testapi.TestUnitFinder;

/**
 * Shows JUnit tests to PIT, the tool behind {@code mutationTest}. PIT's own plugin finds the tests of a class by running them,
 * in each process that PIT starts; with real databases, that takes longer than running the mutants. This plugin finds test
 * methods by their annotations. Immutable and thread-safe.
 */
public final class MutationTests implements TestPluginFactory, TestUnitFinder, Configuration {
    private final List<String> excludedTags;

    /** Called by PIT's service loader. */
    public MutationTests() {
        this(List.of());
    }

    private MutationTests(List<String> excludedTags) {
        this.excludedTags = excludedTags;
    }

    @Override
    public Configuration createTestFrameworkConfiguration(
            TestGroupConfig config,
            ClassByteArraySource source,
            Collection<String> excludedRunners,
            Collection<String> includedTestMethods) {
        return new MutationTests(config.getExcludedGroups());
    }

    /** Finds the tests of one class. PIT asks for each nested class, too, and looks up a test in the class that declares it. */
    @Override
    public List<TestUnit> findTestUnits(Class<?> type, TestUnitExecutionListener listener) {
        return AnnotationSupport.findAnnotatedMethods(type, Testable.class, HierarchyTraversalMode.TOP_DOWN).stream()
                .<TestUnit>map(method -> new MutationTest(type, method, excludedTags))
                .toList();
    }

    @Override
    public TestUnitFinder testUnitFinder() {
        return this;
    }

    @Override
    public TestSuiteFinder testSuiteFinder() {
        return type -> List.of();
    }

    @Override
    public Optional<PitHelpError> verifyEnvironment() {
        return Optional.empty();
    }

    @Override
    public String name() {
        return "one-engine";
    }

    @Override
    public String description() {
        return "JUnit tests, found without running them";
    }
}
