/*
 * Gradle 8.8 from Maven artifacts. This file exists for machines that stock Gradle 8.8 does not serve: those that reach a Maven
 * repository but not Gradle's download site, and those whose only JDK is 23 or later. Everything that knows Gradle's internals
 * stands here, in AssembledGradle. Delete this directory when the project moves to a Gradle that runs on current JDKs and can be
 * downloaded wherever the project is built; README.md says how.
 */

import java.io.*;
import java.lang.reflect.InvocationTargetException;
import java.net.*;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.*;
import java.util.regex.*;
import java.util.stream.*;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;

/** Starts Gradle where {@code select.sh} found no installation: the stock one if this JDK and the network allow that. */
public final class GradleFromMaven {
    static final String VERSION = "8.8";

    /** The newest JDK on which Gradle runs as published. */
    private static final int NEWEST_JDK = 22;

    private final Path sources;
    private final Path installation;
    private final boolean offline;
    private volatile String stage = "";

    private GradleFromMaven(Path sources, Path installation, boolean offline) {
        this.sources = sources;
        this.installation = installation;
        this.offline = offline;
    }

    public static void main(String[] args) throws Throwable {
        Path wrapper =
                Path.of(System.getProperty("java.class.path")).toAbsolutePath().getParent();
        Path installation = Path.of(System.getenv("GRADLE_FROM_MAVEN")).toAbsolutePath();
        useSystemProperties(
                wrapper.getParent().getParent(), installation.getParent().getParent(), args);
        String url = load(wrapper.resolve("gradle-wrapper.properties")).getProperty("distributionUrl");
        boolean offline = List.of(args).contains("--offline");
        String reason = offline ? "--offline is set" : whyUnusable(url);
        if (reason == null) {
            start(ClassLoader.getSystemClassLoader(), "org.gradle.wrapper.GradleWrapperMain", args);
            return;
        }
        try {
            new GradleFromMaven(wrapper.resolveSibling("from-maven"), installation, offline).install(reason);
        } catch (IOException | IllegalStateException e) {
            System.err.printf(
                    "Cannot install Gradle %s.%n  %s: %s%n  Maven artifacts: %s%n"
                            + "Let this machine reach one of the two, once. Mirrors and proxies of Maven's settings.xml are used.%n",
                    VERSION, url.replaceFirst("//[^/]*@", "//"), reason, e.getMessage());
            System.exit(1);
        }
        URL[] launcher = {
            installation
                    .resolve("lib/gradle-launcher-" + VERSION + ".jar")
                    .toUri()
                    .toURL()
        };
        start(
                new URLClassLoader(launcher, ClassLoader.getPlatformClassLoader()),
                "org.gradle.launcher.GradleMain",
                args);
    }

    private static void start(ClassLoader loader, String mainClass, String[] args) throws Throwable {
        Thread.currentThread().setContextClassLoader(loader);
        try {
            loader.loadClass(mainClass).getMethod("main", String[].class).invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Returns why the wrapper cannot download a distribution that runs on this JDK, or null if it can. */
    private static String whyUnusable(String url) {
        if (Runtime.version().feature() > NEWEST_JDK) {
            return "does not run on JDK " + Runtime.version().feature();
        }
        // Name resolution has no time limit: a hanging attempt is left behind.
        return CompletableFuture.supplyAsync(() -> {
                    try (InputStream in = URI.create(url).toURL().openStream()) {
                        // A captive portal answers, too, but not with a zip file.
                        return Arrays.equals(in.readNBytes(2), new byte[] {'P', 'K'}) ? null : "no zip file";
                    } catch (IOException e) {
                        return "out of reach (" + e + ")";
                    }
                })
                .completeOnTimeout("no answer within 4 seconds", 4, TimeUnit.SECONDS)
                .join();
    }

    /** Reads proxies where the wrapper does: gradle.properties of the project and the user, and the command line. */
    private static void useSystemProperties(Path project, Path home, String[] args) throws IOException {
        for (Path directory : List.of(project, home)) {
            load(directory.resolve("gradle.properties")).forEach((key, value) -> {
                if (key.toString().startsWith("systemProp.")) {
                    System.setProperty(key.toString().substring("systemProp.".length()), value.toString());
                }
            });
        }
        for (String arg : args) {
            if (arg.startsWith("-D") && arg.contains("=")) {
                System.setProperty(arg.substring(2, arg.indexOf('=')), arg.substring(arg.indexOf('=') + 1));
            }
        }
        System.setProperty("jdk.http.auth.tunneling.disabledSchemes", "");
        Authenticator.setDefault(new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                boolean proxy = getRequestorType() == RequestorType.PROXY;
                String prefix = proxy ? getRequestingURL().getProtocol() + ".proxy" : "gradle.wrapper";
                String user = System.getProperty(prefix + "User");
                String password = System.getProperty(prefix + "Password", "");
                return user == null ? null : new PasswordAuthentication(user, password.toCharArray());
            }
        });
    }

    private static Properties load(Path file) throws IOException {
        Properties properties = new Properties();
        if (Files.exists(file)) {
            properties.load(new StringReader(Files.readString(file)));
        }
        return properties;
    }

    /** Assembles Gradle unless another build does so first. The operating system releases the lock of a killed holder. */
    private void install(String reason) throws Exception {
        Path directory = Files.createDirectories(installation.getParent());
        try (FileChannel lock =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            if (lock.tryLock() == null) {
                System.err.printf("Gradle %s: waiting for another build to assemble it%n", VERSION);
                lock.lock();
            }
            if (AssembledGradle.isComplete(installation)) {
                AssembledGradle.linkApi(installation);
                return;
            }
            System.err.printf(
                    "Gradle %s: its distribution %s; assembling it from Maven artifacts, 200 MB, once, in %s%n",
                    VERSION, reason, installation);
            for (Path leftover : AssembledGradle.list(directory, ".partial")) {
                delete(leftover);
            }
            Path work = directory.resolve(System.nanoTime() + ".partial");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(work)));
            Thread progress = new Thread(() -> reportProgress(work.resolve("artifacts")));
            progress.setDaemon(true);
            progress.start();
            try {
                fetch(Files.createDirectories(work.resolve("artifacts")));
                stage = "assembling";
                new AssembledGradle(work.resolve("gradle")).make(work.resolve("artifacts"), sources);
                delete(installation); // one that lost a jar
                Files.move(work.resolve("gradle"), installation);
                AssembledGradle.linkApi(installation);
            } finally {
                progress.interrupt();
                progress.join();
                delete(work);
            }
        }
    }

    private void fetch(Path directory) throws Exception {
        MavenSettings settings = new MavenSettings();
        settings.useProxies();
        MavenSettings.Repository remote = settings.mirrorOf("central");
        Path local = settings.localRepository();
        Files.readAllLines(sources.resolve("artifacts.txt")).parallelStream().forEach(line -> {
            String[] parts = line.split("[ :]+");
            String name = parts[2] + "-" + parts[3] + ".jar";
            String path = parts[1].replace('.', '/') + "/" + parts[2] + "/" + parts[3] + "/" + name;
            try {
                fetch(path, parts[0], local, remote, directory.resolve(name));
            } catch (Exception e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        });
    }

    /** Copies an artifact from Maven's local repository, or downloads it. Only the pinned checksum is accepted. */
    private void fetch(String path, String checksum, Path local, MavenSettings.Repository remote, Path target)
            throws Exception {
        if (Files.exists(local.resolve(path))
                && copy(Files.newInputStream(local.resolve(path)), target).equals(checksum)) {
            return;
        }
        if (offline) {
            throw new IOException(path + " is not in " + local);
        }
        URLConnection connection = URI.create(remote.url() + "/" + path).toURL().openConnection();
        connection.setConnectTimeout(10_000);
        connection.setReadTimeout(60_000);
        if (!remote.user().isEmpty()) {
            byte[] login = (remote.user() + ":" + remote.password()).getBytes();
            connection.setRequestProperty(
                    "Authorization", "Basic " + Base64.getEncoder().encodeToString(login));
        }
        String actual;
        try {
            actual = copy(connection.getInputStream(), target);
        } catch (IOException e) {
            throw new IOException(connection.getURL() + ": " + e, e);
        }
        if (!actual.equals(checksum)) {
            throw new IOException(connection.getURL() + " has SHA-256 " + actual + " instead of " + checksum);
        }
    }

    /** Copies a file and returns its SHA-256. */
    private static String copy(InputStream from, Path to) throws Exception {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        try (from;
                OutputStream out = new DigestOutputStream(Files.newOutputStream(to), sha256)) {
            from.transferTo(out);
        }
        return HexFormat.of().formatHex(sha256.digest());
    }

    /** Rewrites one line on a terminal; prints a line every 10 seconds elsewhere. */
    private void reportProgress(Path artifacts) {
        boolean terminal = Boolean.getBoolean("gradle.from-maven.terminal");
        long start = System.nanoTime();
        try {
            while (true) {
                Thread.sleep(terminal ? 250 : 10_000);
                long megabytes = Stream.of(artifacts.toFile().listFiles())
                                .mapToLong(File::length)
                                .sum()
                        / 1_000_000;
                String line = "  " + (stage.isEmpty() ? megabytes + " of 200 MB" : stage) + ", "
                        + (System.nanoTime() - start) / 1_000_000_000 + " s";
                System.err.print(terminal ? "\r" + line + "\u001b[K" : line + System.lineSeparator());
            }
        } catch (InterruptedException e) {
            System.err.print(terminal ? "\r\u001b[K" : "");
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            // Gone already, or in use on Windows: the next attempt tries again.
        }
    }

    /** The settings.xml of the user and of the Maven on the PATH. init.gradle uses this, too. */
    public static final class MavenSettings {
        private static final String CENTRAL = "https://repo.maven.apache.org/maven2";
        private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env\\.)?([\\w.]+)}");

        private final List<Document> files = new ArrayList<>();

        /** A repository with its credentials, which are empty where it needs none. */
        public record Repository(String url, String user, String password) {}

        public MavenSettings() throws Exception {
            List<Path> candidates =
                    new ArrayList<>(List.of(Path.of(System.getProperty("user.home"), ".m2/settings.xml")));
            for (String directory : System.getenv("PATH").replace("\"", "").split(File.pathSeparator)) {
                if (Files.exists(Path.of(directory, "mvn"))) {
                    Path bin = Path.of(directory, "mvn").toRealPath().getParent();
                    candidates.add(bin.resolveSibling("conf").resolve("settings.xml"));
                    break;
                }
            }
            for (Path file : candidates) {
                if (Files.isReadable(file)) {
                    files.add(DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(file.toFile()));
                }
            }
        }

        /** Returns the text at a path in the first file that has it, with references replaced; empty if none has. */
        private String text(String path) {
            for (Document file : files) {
                try {
                    String text = XPathFactory.newInstance()
                            .newXPath()
                            .evaluate(path, file)
                            .strip();
                    if (!text.isEmpty()) {
                        return REFERENCE.matcher(text).replaceAll(reference -> {
                            String name = reference.group(2);
                            String value = reference.group(1) == null ? System.getProperty(name) : System.getenv(name);
                            return Matcher.quoteReplacement(value == null ? reference.group() : value);
                        });
                    }
                } catch (XPathExpressionException e) {
                    throw new IllegalStateException(e);
                }
            }
            return "";
        }

        Path localRepository() {
            String path = text("/settings/localRepository");
            return path.isEmpty() ? Path.of(System.getProperty("user.home"), ".m2/repository") : Path.of(path);
        }

        /** Returns the mirror of the repository with this id, or an empty URL; Maven Central is its own mirror. */
        public Repository mirrorOf(String id) {
            String list = "concat(',', translate(mirrorOf, ' ', ''), ',')";
            String mirror = "//mirror[not(blocked = 'true')][mirrorOf = '%s']".formatted(id);
            if (text(mirror).isEmpty()) {
                mirror = ("//mirror[not(blocked = 'true')][not(contains(%1$s, ',!%2$s,'))]"
                                + "[contains(%1$s, ',*,') or contains(%1$s, ',external:*,') or contains(%1$s, ',%2$s,')]")
                        .formatted(list, id);
            }
            String url = text(mirror + "/url").replaceFirst("/$", "");
            String server = "//server[id = '" + text(mirror + "/id") + "']";
            String password = text(server + "/password");
            if (password.startsWith("{")) {
                System.err.println("Only Maven can read its encrypted password for " + url);
            }
            return new Repository(
                    url.isEmpty() && id.equals("central") ? CENTRAL : url, text(server + "/username"), password);
        }

        /** Makes Maven's active proxy Java's, unless Java has one. */
        public void useProxies() {
            if (System.getProperty("http.proxyHost") != null || System.getProperty("https.proxyHost") != null) {
                return;
            }
            for (String scheme : List.of("http", "https")) {
                String any = "//proxy[not(active = 'false')]";
                String own = any + "[protocol = '" + scheme + "']";
                String proxy = text(own).isEmpty() ? any : own;
                Map.of("Host", "host", "Port", "port", "User", "username", "Password", "password")
                        .forEach((name, element) -> {
                            if (!text(proxy + "/" + element).isEmpty()) {
                                System.setProperty(scheme + ".proxy" + name, text(proxy + "/" + element));
                            }
                        });
                if (!text(proxy + "/nonProxyHosts").isEmpty()) {
                    System.setProperty(scheme + ".nonProxyHosts", text(proxy + "/nonProxyHosts"));
                }
            }
        }
    }
}

/**
 * Makes a Gradle installation of the jars in a directory.
 *
 * <p>Gradle's classes are published as one jar, {@code gradle-api}. Gradle itself expects a directory with one jar per
 * module, each naming the modules it needs. So each module becomes a small jar that holds its description and points, by the
 * {@code Class-Path} of its manifest, at the jars with the classes.
 */
final class AssembledGradle {
    private static final String VERSION = GradleFromMaven.VERSION;
    private static final String DESCRIPTION = "-classpath.properties";
    private static final String NOTHING_NEEDED = "projects=\nruntime=\n";

    /** Modules that Gradle looks up by name although their classes are in the API jar. */
    private static final List<String> LIBRARIES =
            List.of("asm", "commons-lang", "guava", "jul-to-slf4j", "kryo", "native-platform", "slf4j-api");

    /** Services in the API jar that the JDK itself would start, from a class path that was not made for it. */
    private static final List<String> JDK_SERVICES = List.of(
            "java.nio.file.spi.FileSystemProvider", "java.security.Provider", "javax.script.ScriptEngineFactory");

    /** The test runner in the API jar refers to JUnit under the name of a private copy, but tests bring the real one. */
    private static final Pattern JUNIT =
            Pattern.compile("org([/.])gradle\\1internal\\1impldep\\1(org\\1junit|junit\\1)");

    private static final Pattern ASM = Pattern.compile("org/objectweb/asm");

    /** Two classes that are in no artifact. */
    private static final Map<String, String> MISSING =
            Map.of("gradle-installation-beacon", """
            package org.gradle.internal.installation.beacon;
            /** Gradle finds its installation by the jar of this class. */
            public class InstallationBeacon {}
            """, "gradle-java-compiler-plugin", """
            package org.gradle.internal.compiler.java;
            import java.util.function.*;
            import javax.tools.JavaCompiler.CompilationTask;
            /** Compiles without the analysis for incremental compilation, which init.gradle turns off. */
            public class IncrementalCompileTask implements CompilationTask {
                private final CompilationTask task;
                public IncrementalCompileTask(CompilationTask task, Function<?, ?> relativize, Consumer<?> backup,
                        Consumer<?> classNames, BiConsumer<?, ?> publicConstants, BiConsumer<?, ?> privateConstants) {
                    this.task = task;
                }
                public void addModules(Iterable<String> modules) { task.addModules(modules); }
                public void setProcessors(Iterable<? extends javax.annotation.processing.Processor> processors) {
                    task.setProcessors(processors);
                }
                public void setLocale(java.util.Locale locale) { task.setLocale(locale); }
                public Boolean call() { return task.call(); }
            }
            """);

    private final Path gradle;
    private final Path lib;
    private final List<Path> asm = new ArrayList<>();
    private final List<String> jars = new ArrayList<>();

    AssembledGradle(Path gradle) {
        this.gradle = gradle;
        this.lib = gradle.resolve("lib");
    }

    void make(Path artifacts, Path sources) throws Exception {
        Files.createDirectories(lib.resolve("plugins"));
        for (Path jar : list(artifacts, ".jar")) {
            String name = jar.getFileName().toString();
            if (name.startsWith("asm")) {
                asm.add(jar);
            } else {
                Files.move(jar, lib.resolve(name));
                jars.add(name);
            }
        }
        adaptGroovy(lib.resolve("groovy-3.0.21.jar"));
        String classPath = String.join(" ", jars);
        for (Map.Entry<String, String> module :
                adaptApi(lib.resolve("gradle-api-" + VERSION + ".jar")).entrySet()) {
            writeModule(module.getKey(), module.getValue(), classPath);
        }
        for (Map.Entry<String, String> module : MISSING.entrySet()) {
            Map<String, byte[]> classes = compile(module.getValue());
            classes.put(module.getKey() + DESCRIPTION, NOTHING_NEEDED.getBytes());
            writeJar(module.getKey() + "-" + VERSION + ".jar", "", classes);
        }
        // Gradle looks up this module even where gradle.properties turns it off.
        writeModule("gradle-instrumentation-agent", NOTHING_NEEDED, "");
        for (String library : LIBRARIES) {
            writeJar(library + "-0.jar", classPath, Map.of());
        }
        Path scripts = Files.createDirectories(gradle.resolve("init.d"));
        Files.copy(sources.resolve("init.gradle"), scripts.resolve("init.gradle"));
        writeJar("maven-settings.jar", "", compile(Files.readString(sources.resolve("GradleFromMaven.java"))));
        Files.writeString(gradle.resolve("gradle.properties"), "org.gradle.internal.instrumentation.agent=false\n");
    }

    static boolean isComplete(Path gradle) {
        return Stream.of("launcher", "api")
                .allMatch(module -> Files.exists(gradle.resolve("lib/gradle-" + module + "-" + VERSION + ".jar")));
    }

    /** Puts the API jar where Gradle generates the jar of gradleApi() otherwise, which takes all modules' own jars. */
    static void linkApi(Path gradle) throws IOException {
        String name = "gradle-api-" + VERSION + ".jar";
        Path caches = gradle.getParent().resolveSibling("caches");
        Path link = Files.createDirectories(caches.resolve(VERSION + "/generated-gradle-jars"))
                .resolve(name);
        Files.deleteIfExists(link);
        try {
            Files.createLink(link, gradle.resolve("lib").resolve(name));
        } catch (IOException | UnsupportedOperationException e) {
            Files.copy(gradle.resolve("lib").resolve(name), link); // on a file system without hard links
        }
    }

    /** Makes the API jar fit to run builds from, and returns the descriptions of the modules in it. */
    private Map<String, String> adaptApi(Path api) throws IOException {
        try (FileSystem jar = FileSystems.newFileSystem(api)) {
            useNewAsm(jar, "org/gradle/internal/impldep/org/objectweb/asm");
            for (String service : JDK_SERVICES) {
                Files.deleteIfExists(jar.getPath("META-INF/services", service));
            }
            Files.writeString(jar.getPath("gradle-kotlin-dsl-versions.properties"), "kotlin=none\n");
            for (String framework : List.of("junit", "junitplatform")) {
                Path classes = jar.getPath("org/gradle/api/internal/tasks/testing", framework);
                for (Path file : list(classes, ".class")) {
                    Files.write(file, rename(Files.readAllBytes(file), JUNIT, "$2"));
                }
            }
            Map<String, String> modules = new TreeMap<>();
            for (Path file : list(jar.getPath("/"), DESCRIPTION)) {
                modules.put(file.getFileName().toString().replace(DESCRIPTION, ""), describe(file));
            }
            return modules;
        }
    }

    private void adaptGroovy(Path groovy) throws IOException {
        try (FileSystem jar = FileSystems.newFileSystem(groovy)) {
            useNewAsm(jar, "groovyjarjarasm/asm");
        }
    }

    /**
     * Replaces the ASM in the package {@code copy} of a jar. Gradle and Groovy read the class files of the JDK with private
     * copies of ASM, which reject those of a JDK newer than the copy.
     */
    private void useNewAsm(FileSystem jar, String copy) throws IOException {
        for (Path artifact : asm) {
            try (FileSystem source = FileSystems.newFileSystem(artifact);
                    Stream<Path> files = Files.walk(source.getPath("org"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Path place = jar.getPath(file.toString().replace("org/objectweb/asm", copy));
                    Files.createDirectories(place.getParent());
                    Files.write(place, rename(Files.readAllBytes(file), ASM, copy));
                }
            }
        }
    }

    /** Renames in the constants of a class file (JVM specification, 4.4). */
    private static byte[] rename(byte[] classFile, Pattern name, String newName) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(classFile.length);
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(in.readLong());
        int count = in.readUnsignedShort();
        out.writeShort(count);
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            switch (tag) {
                case 1 -> out.writeUTF(name.matcher(in.readUTF()).replaceAll(newName));
                case 5, 6 -> {
                    out.write(in.readNBytes(8));
                    i++; // a long or a double counts twice
                }
                case 7, 8, 16, 19, 20 -> out.write(in.readNBytes(2));
                case 15 -> out.write(in.readNBytes(3));
                default -> out.write(in.readNBytes(4));
            }
        }
        in.transferTo(out);
        return bytes.toByteArray();
    }

    /** Returns the description of a module, less the libraries that are in the API jar. */
    private String describe(Path file) throws IOException {
        Properties original = new Properties();
        original.load(new StringReader(Files.readString(file)));
        String libraries = Stream.of(original.getProperty("runtime", "").split(","))
                .filter(jars::contains)
                .collect(Collectors.joining(","));
        return "projects=%s\nruntime=%s\noptional=%s\n"
                .formatted(original.getProperty("projects", ""), libraries, original.getProperty("optional", ""));
    }

    private void writeModule(String name, String description, String classPath) throws IOException {
        writeJar(name + "-" + VERSION + ".jar", classPath, Map.of(name + DESCRIPTION, description.getBytes()));
    }

    /** Compiles a source file of one public class and returns the class files by name. */
    private Map<String, byte[]> compile(String source) throws IOException {
        Path directory = Files.createTempDirectory(gradle.getParent(), "classes");
        Path file = directory.resolve(source.replaceAll("(?s).*?public (final )?class (\\w+).*", "$2.java"));
        Files.writeString(file, source);
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", directory.toString(), file.toString())
                != 0) {
            throw new IOException(file + " does not compile");
        }
        Map<String, byte[]> classes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path compiled :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                String name = directory.relativize(compiled).toString().replace(File.separatorChar, '/');
                classes.put(name, Files.readAllBytes(compiled));
            }
        }
        return classes;
    }

    private void writeJar(String name, String classPath, Map<String, byte[]> entries) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(lib.resolve(name)), manifest)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                jar.putNextEntry(new ZipEntry(entry.getKey()));
                jar.write(entry.getValue());
            }
        }
    }

    static List<Path> list(Path directory, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(suffix)).toList();
        }
    }
}
