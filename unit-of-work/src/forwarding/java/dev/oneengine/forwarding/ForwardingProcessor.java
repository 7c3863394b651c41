package dev.oneengine.forwarding;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;

/**
 * Implements each interface that a {@code @GenerateForwarding} annotation names. The name of the generated class is the prefix of the
 * annotation and the name of the interface. It extends the annotated class, and forwards each method of the interface that the annotated
 * class does not implement. A proxy would do the same by reflection, at about the cost of reading a column, and the JVM takes
 * milliseconds to generate each class of a proxy. Not thread-safe.
 */
@SupportedAnnotationTypes({"dev.oneengine.work.GenerateForwarding", "dev.oneengine.migration.GenerateForwarding"})
public final class ForwardingProcessor extends AbstractProcessor {
    private static final Set<String> STREAMS =
            Set.of("java.io.InputStream", "java.io.OutputStream", "java.io.Reader", "java.io.Writer");

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        for (TypeElement annotation : annotations) {
            for (Element base : round.getElementsAnnotatedWith(annotation)) {
                generate((TypeElement) base);
            }
        }
        return false;
    }

    private void generate(TypeElement base) {
        List<TypeElement> targets = new ArrayList<>();
        Set<String> sql = new HashSet<>();
        Set<String> silent = new HashSet<>();
        StringBuilder prefix = new StringBuilder();
        Elements elements = processingEnv.getElementUtils();
        elements.getElementValuesWithDefaults(base.getAnnotationMirrors().get(0))
                .forEach((member, value) -> {
                    List<?> items = value.getValue() instanceof List<?> list ? list : List.of(value);
                    for (Object item : items) {
                        Object content = ((AnnotationValue) item).getValue();
                        switch (member.getSimpleName().toString()) {
                            case "prefix" -> prefix.append(content);
                            case "sql" -> sql.add((String) content);
                            case "silentAfterEnd" -> silent.add((String) content);
                            default -> targets.add((TypeElement) ((DeclaredType) content).asElement());
                        }
                    }
                });
        for (TypeElement target : targets) {
            String name = prefix + target.getSimpleName().toString();
            String source = new Source(base, target, sql, silent).write(name);
            String file = elements.getPackageOf(base) + "." + name;
            try (Writer out =
                    processingEnv.getFiler().createSourceFile(file, base).openWriter()) {
                out.write(source);
            } catch (IOException e) {
                throw new IllegalStateException("Cannot write " + file, e);
            }
        }
    }

    /** The text of one generated class. Not thread-safe. */
    private final class Source {
        private final TypeElement base;
        private final TypeElement target;
        private final Set<String> sql;
        private final Set<String> silent;
        private final DeclaredType parent;

        /** The names of the methods of the base, some of which the generated methods call. */
        private final Set<String> hooks = new HashSet<>();

        private final StringBuilder text = new StringBuilder();

        Source(TypeElement base, TypeElement target, Set<String> sql, Set<String> silent) {
            this.base = base;
            this.target = target;
            this.sql = sql;
            this.silent = silent;
            this.parent = base.getTypeParameters().isEmpty()
                    ? (DeclaredType) base.asType()
                    : processingEnv.getTypeUtils().getDeclaredType(base, target.asType());
        }

        String write(String name) {
            line("package " + processingEnv.getElementUtils().getPackageOf(base).getQualifiedName() + ";")
                    .line("")
                    .line("@SuppressWarnings({\"cast\", \"deprecation\", \"rawtypes\", \"unchecked\"})")
                    .line("class " + name + " extends " + parent + " implements " + target.getQualifiedName() + " {");
            constructor(name);
            Set<String> known = new HashSet<>();
            processingEnv.getElementUtils().getAllMembers(base).stream()
                    .filter(member -> member.getKind() == ElementKind.METHOD
                            && !member.getModifiers().contains(Modifier.ABSTRACT)
                            && !member.getModifiers().contains(Modifier.DEFAULT))
                    .forEach(member -> {
                        known.add(signature((ExecutableElement) member));
                        hooks.add(member.getSimpleName().toString());
                    });
            for (ExecutableElement method :
                    ElementFilter.methodsIn(processingEnv.getElementUtils().getAllMembers(target))) {
                if (!method.getModifiers().contains(Modifier.STATIC) && known.add(signature(method))) {
                    method(method);
                }
            }
            return line("}").text.toString();
        }

        private String signature(ExecutableElement method) {
            return method.getSimpleName()
                    + method.getParameters().stream()
                            .map(parameter -> erasure(parameter.asType()))
                            .toList()
                            .toString();
        }

        /** Returns the erased type without annotations: javac writes them before the package, where they do not compile. */
        private String erasure(TypeMirror type) {
            TypeMirror erased = processingEnv.getTypeUtils().erasure(type);
            return erased instanceof DeclaredType declared
                    ? ((TypeElement) declared.asElement()).getQualifiedName().toString()
                    : erased.toString();
        }

        private void constructor(String name) {
            ExecutableElement constructor =
                    ElementFilter.constructorsIn(base.getEnclosedElements()).get(0);
            ExecutableType type = (ExecutableType) processingEnv.getTypeUtils().asMemberOf(parent, constructor);
            List<String> parameters = new ArrayList<>();
            List<String> arguments = new ArrayList<>();
            for (TypeMirror parameter : type.getParameterTypes()) {
                arguments.add("a" + arguments.size());
                parameters.add(erasure(parameter) + " a" + parameters.size());
            }
            line("    " + name + "(" + String.join(", ", parameters) + ") {")
                    .line("        super(" + String.join(", ", arguments) + ");")
                    .line("    }");
        }

        private void method(ExecutableElement method) {
            String name = method.getSimpleName().toString();
            TypeMirror result = method.getReturnType();
            boolean nothing = result.getKind() == TypeKind.VOID;
            boolean declares = !method.getThrownTypes().isEmpty();
            List<String> parameters = new ArrayList<>();
            List<String> arguments = new ArrayList<>();
            for (VariableElement parameter : method.getParameters()) {
                String argument = "a" + arguments.size();
                parameters.add(parameter.asType() + " " + argument);
                arguments.add(
                        hooks.contains("own") && mayBeGuarded(parameter.asType()) ? "own(" + argument + ")" : argument);
            }
            line("").line("    @Override")
                    .line("    public " + variables(method) + result + " " + name + "(" + String.join(", ", parameters)
                            + ")" + (declares ? " throws java.sql.SQLException {" : " {"));
            if (silent.contains(name)) {
                line("        if (hasEnded()) {").line("            return;").line("        }");
            }
            line(declares ? "        enter();" : "        enterUnchecked();");
            if (sql.contains(name) && !parameters.isEmpty() && parameters.get(0).startsWith("java.lang.String ")) {
                line("        checkSql(a0);");
            }
            String call = "target." + name + "(" + String.join(", ", arguments) + ")";
            boolean guarded = declares && mayBeGuarded(result);
            if (!declares || !hooks.contains("failed")) {
                String value = guarded ? guarded(call, result) : call;
                line("        " + (nothing ? "" : "return ") + value + ";").line("    }");
                return;
            }
            if (!nothing) {
                line("        " + result + " result;");
            }
            line("        try {")
                    .line("            " + (nothing ? "" : "result = ") + call + ";")
                    .line("        } catch (Throwable t) {")
                    .line("            throw failed(t, \"" + name + "\");")
                    .line("        }")
                    .line("        succeeded();");
            if (!nothing) {
                line("        return " + (guarded ? guarded("result", result) : "result") + ";");
            }
            line("    }");
        }

        private String guarded(String value, TypeMirror type) {
            return "(" + type + ") guarded(" + value + ", " + erasure(type) + ".class)";
        }

        private Source line(String line) {
            text.append(line).append('\n');
            return this;
        }

        private String variables(ExecutableElement method) {
            return method.getTypeParameters().isEmpty()
                    ? ""
                    : method.getTypeParameters().stream()
                            .map(variable -> variable + " extends "
                                    + variable.getBounds().get(0))
                            .collect(Collectors.joining(", ", "<", "> "));
        }

        /** Whether an object of this type may lead to the connection. */
        private boolean mayBeGuarded(TypeMirror type) {
            return switch (type.getKind()) {
                case TYPEVAR -> true;
                case ARRAY -> ((ArrayType) type).getComponentType().toString().equals("java.lang.Object");
                case DECLARED -> {
                    TypeElement element = (TypeElement) ((DeclaredType) type).asElement();
                    String name = element.getQualifiedName().toString();
                    yield name.equals("java.lang.Object")
                            || STREAMS.contains(name)
                            || (element.getKind() == ElementKind.INTERFACE && name.startsWith("java.sql."));
                }
                default -> false;
            };
        }
    }
}
