package dev.oneengine.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.pitest.bytecode.analysis.ClassTree;
import org.pitest.mutationtest.build.InterceptorParameters;
import org.pitest.mutationtest.build.InterceptorType;
import org.pitest.mutationtest.build.MutationInterceptor;
import org.pitest.mutationtest.build.MutationInterceptorFactory;
import org.pitest.mutationtest.engine.Mutater;
import org.pitest.mutationtest.engine.MutationDetails;
import org.pitest.mutationtest.engine.MutationIdentifier;
import org.pitest.plugin.Feature;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Leaves out the mutants that a test killed in an earlier run, given by the XML report of that run. Useful while tests are
 * written, and for a second run with a larger budget. Without a report, all mutants run. Immutable and thread-safe.
 */
public final class KilledMutants implements MutationInterceptorFactory {
    private static final List<String> NAME =
            List.of("mutatedClass", "mutatedMethod", "methodDescription", "indexes", "mutator");

    /** Called by PIT's service loader. */
    public KilledMutants() {}

    @Override
    public MutationInterceptor createInterceptor(InterceptorParameters parameters) {
        String report = System.getProperty("oneengine.mutation.killed", "");
        return new Filter(report.isEmpty() ? Set.of() : killed(Path.of(report)));
    }

    private static Set<String> killed(Path report) {
        try {
            NodeList mutants = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getElementsByTagName("mutation");
            Set<String> killed = new HashSet<>();
            for (int i = 0; i < mutants.getLength(); i++) {
                Element mutant = (Element) mutants.item(i);
                if (mutant.getAttribute("status").equals("KILLED")) {
                    killed.add(NAME.stream()
                            .map(tag -> mutant.getElementsByTagName(tag).item(0).getTextContent())
                            .collect(Collectors.joining(" ")));
                }
            }
            return killed;
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalArgumentException("Cannot read " + report + ", the report of an earlier run", e);
        }
    }

    private static String name(MutationIdentifier mutant) {
        String indexes = mutant.getIndexes().stream().map(String::valueOf).collect(Collectors.joining());
        return Stream.of(
                        mutant.getClassName().asJavaName(),
                        mutant.getLocation().getMethodName(),
                        mutant.getLocation().getMethodDesc(),
                        indexes,
                        mutant.getMutator())
                .collect(Collectors.joining(" "));
    }

    private record Filter(Set<String> killed) implements MutationInterceptor {
        @Override
        public InterceptorType type() {
            return InterceptorType.FILTER;
        }

        @Override
        public void begin(ClassTree type) {
            // Nothing to prepare: each mutant is filtered separately.
        }

        @Override
        public Collection<MutationDetails> intercept(Collection<MutationDetails> mutants, Mutater mutater) {
            return mutants.stream()
                    .filter(mutant -> !killed.contains(name(mutant.getId())))
                    .toList();
        }

        @Override
        public void end() {
            // Nothing to clean up.
        }
    }

    @Override
    public Feature provides() {
        return Feature.named("KilledMutants")
                .withDescription(description())
                .withOnByDefault(true)
                .asInternalFeature();
    }

    @Override
    public String description() {
        return "Leaves out mutants that an earlier run killed";
    }
}
