/*
 * Gradle 8.8 from Maven artifacts. This file exists for machines that stock Gradle 8.8 does not serve: those that reach a Maven
 * repository but not Gradle's download site, and those whose only JDK is 23 or later. Everything that knows Gradle's internals
 * is in this file. Delete this directory when the project moves to a Gradle that runs on current JDKs and can be downloaded
 * wherever the project is built; README.md says how.
 */

import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.security.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.jar.*;
import java.util.regex.*;
import java.util.stream.*;
import javax.tools.ToolProvider;
import javax.xml.parsers.*;
import javax.xml.xpath.*;
import org.gradle.wrapper.*;
import org.w3c.dom.Document;

/** Starts Gradle where {@code select.sh} found no installation: the stock one if this JDK and the network allow that. */
public final class GradleFromMaven {
    public static void main(String[] args) throws Exception {
        Path wrapper = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
        Path sources = wrapper.getParent().resolveSibling("from-maven");
        Path installation = Path.of(System.getenv("GRADLE_FROM_MAVEN")).toAbsolutePath();
        Path home = installation.getParent().getParent();
        useSystemProperties(sources.getParent().getParent(), home, args);
        File properties = wrapper.resolveSibling("gradle-wrapper.properties").toFile();
        URI url = new WrapperExecutor(properties, new Properties()).config.distribution;
        boolean offline = List.of(args).contains("--offline");
        String reason = offline ? "--offline is set" : whyUnusable(url);
        if (reason == null) {
            GradleWrapperMain.main(args);
            return;
        }
        try {
            install(sources, installation, offline, reason);
        } catch (IOException | IllegalStateException e) {
            System.err.printf("""
                Cannot install Gradle 8.8.
                  %s: %s
                  Maven artifacts: %s
                Let this machine reach one of the two, once. Mirrors and proxies of Maven's settings.xml are used.
                """, Download.safeUri(url), reason, e.getMessage());
            System.exit(1);
        }
        AssembledGradle.main(args);
    }

    /** Reads proxies where the wrapper does: gradle.properties of the project and the user, and the command line. */
    private static void useSystemProperties(Path project, Path home, String[] args) {
        for (Path directory : List.of(project, home)) {
            File file = directory.resolve("gradle.properties").toFile();
            System.getProperties().putAll(SystemPropertiesHandler.getSystemProperties(file));
        }
        for (String arg : args) {
            if (arg.matches("-D.+=.*")) {
                System.setProperty(arg.substring(2, arg.indexOf('=')), arg.substring(arg.indexOf('=') + 1));
            }
        }
        System.setProperty("jdk.http.auth.tunneling.disabledSchemes", "");
        Authenticator.setDefault(new Download$ProxyAuthenticator(System.getProperties()));
    }

    /** Returns why the wrapper cannot download a distribution that runs on this JDK, or null if it can. */
    private static String whyUnusable(URI url) {
        if (Runtime.version().feature() > 22) {
            return "does not run on JDK " + Runtime.version().feature();
        }
        // Name resolution has no time limit: a hanging attempt is left behind.
        return CompletableFuture.supplyAsync(() -> {
                    try (InputStream in = url.toURL().openStream()) {
                        // A captive portal answers, too, but not with a zip file.
                        return new String(in.readNBytes(2)).equals("PK") ? null : "no zip file";
                    } catch (IOException e) {
                        return "out of reach (" + e + ")";
                    }
                })
                .completeOnTimeout("no answer within 4 seconds", 4, TimeUnit.SECONDS)
                .join();
    }

    /** Assembles Gradle unless another build does so first. The operating system releases the lock of a killed holder. */
    private static void install(Path sources, Path installation, boolean offline, String reason) throws Exception {
        Path directory = Files.createDirectories(installation.getParent());
        Path work = directory.resolve("partial");
        try (FileOutputStream lock = new FileOutputStream(directory + "/lock")) {
            if (lock.getChannel().tryLock() == null) {
                System.err.println("Gradle 8.8: waiting for another build to assemble it");
                lock.getChannel().lock();
            }
            if (Files.exists(installation.resolve("lib/gradle-api-8.8.jar"))) {
                return;
            }
            System.err.println("Gradle 8.8: its distribution " + reason
                    + "; assembling it from Maven artifacts, 200 MB, once, in " + installation);
            delete(work); // of a build that was killed
            Path lib = Files.createDirectories(work.resolve("lib"));
            Thread progress = new Thread(() -> reportProgress(lib));
            progress.start();
            try {
                fetch(sources.resolve("artifacts.txt"), lib, offline);
                AssembledGradle.make(work, sources);
                delete(installation); // one that lost a jar
                Files.move(work, installation);
            } finally {
                progress.interrupt();
                progress.join();
                delete(work);
            }
        }
    }

    /** Rewrites one line on a terminal; prints a line every 10 seconds elsewhere. */
    private static void reportProgress(Path lib) {
        boolean terminal = Boolean.getBoolean("gradle.from-maven.terminal");
        long start = System.nanoTime();
        try {
            while (true) {
                Thread.sleep(terminal ? 250 : 10_000);
                long size = Stream.of(lib.toFile().listFiles())
                        .mapToLong(File::length)
                        .sum();
                String stage = Files.exists(lib.resolve("plugins")) ? "assembling" : size / 1_000_000 + " of 200 MB";
                long seconds = (System.nanoTime() - start) / 1_000_000_000;
                System.err.printf(terminal ? "\r  %s, %d s\u001b[K" : "  %s, %d s%n", stage, seconds);
            }
        } catch (InterruptedException e) {
            System.err.print(terminal ? "\r\u001b[K" : "");
        }
    }

    /** Copies the artifacts from Maven's local repository, or downloads them. Only the pinned checksums are accepted. */
    private static void fetch(Path artifacts, Path lib, boolean offline) throws Exception {
        MavenSettings settings = new MavenSettings();
        settings.useProxies();
        MavenSettings.Repository remote = settings.mirrorOf("central");
        Path local = Path.of(settings.text("/settings/localRepository", "${user.home}/.m2/repository"));
        Files.readAllLines(artifacts).parallelStream().forEach(line -> {
            String[] parts = line.split("[ :]+");
            String name = parts[2] + "-" + parts[3] + ".jar";
            String path = parts[1].replace('.', '/') + "/" + parts[2] + "/" + parts[3] + "/" + name;
            try {
                Path cached = local.resolve(path);
                String actual = Files.exists(cached) ? copy(Files.newInputStream(cached), lib.resolve(name)) : "";
                if (!actual.equals(parts[0]) && !offline) {
                    actual = copy(remote.open(path), lib.resolve(name));
                }
                if (!actual.equals(parts[0])) {
                    throw new IOException(offline ? "not in " + local : "its SHA-256 is " + actual);
                }
            } catch (Exception e) {
                throw new IllegalStateException(remote.url() + "/" + path + ": " + e, e);
            }
        });
    }

    /** Copies a file and returns its SHA-256. */
    private static String copy(InputStream from, Path to) throws Exception {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        try (InputStream in = new DigestInputStream(from, sha256)) {
            Files.copy(in, to, StandardCopyOption.REPLACE_EXISTING);
        }
        return HexFormat.of().formatHex(sha256.digest());
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.map(Path::toFile).sorted(Comparator.reverseOrder()).forEach(File::delete);
        } catch (IOException | UncheckedIOException e) {
            // Gone already, or in use on Windows: the next attempt tries again.
        }
    }

    /** The settings.xml of the Maven on the PATH and of the user. init.gradle uses this, too. */
    public static final class MavenSettings {
        private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env\\.)?([\\w.]+)}");

        private final XPath xpath = XPathFactory.newInstance().newXPath();
        private final List<Document> files = new ArrayList<>();

        /** A repository with its credentials, which are empty where it needs none. */
        public record Repository(String url, String user, String password) {
            InputStream open(String path) throws IOException {
                URLConnection connection = URI.create(url + "/" + path).toURL().openConnection();
                connection.setConnectTimeout(10_000);
                connection.setReadTimeout(60_000);
                if (!user.isEmpty()) {
                    String login = Base64.getEncoder().encodeToString((user + ":" + password).getBytes());
                    connection.setRequestProperty("Authorization", "Basic " + login);
                }
                return connection.getInputStream();
            }
        }

        public MavenSettings() throws Exception {
            for (String directory : System.getenv("PATH").replace("\"", "").split(File.pathSeparator)) {
                Path mvn = Path.of(directory, "mvn");
                if (Files.exists(mvn)) {
                    read(mvn.toRealPath().getParent().resolveSibling("conf/settings.xml"));
                    break;
                }
            }
            read(Path.of(System.getProperty("user.home"), ".m2/settings.xml"));
        }

        private void read(Path file) throws Exception {
            if (Files.isReadable(file)) {
                DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
                files.add(parser.parse(file.toFile()));
            }
        }

        /** Returns the text at a path in the last file that has it, with references replaced. */
        String text(String path, String otherwise) throws Exception {
            String result = otherwise;
            for (Document file : files) {
                String found = xpath.evaluate(path, file).strip();
                result = found.isEmpty() ? result : found;
            }
            return REFERENCE.matcher(result).replaceAll(reference -> {
                String name = reference.group(2);
                String value = reference.group(1) == null ? System.getProperty(name) : System.getenv(name);
                return Matcher.quoteReplacement(value == null ? reference.group() : value);
            });
        }

        /** Returns the mirror of the repository with this id, or an empty URL; Maven Central is its own mirror. */
        public Repository mirrorOf(String id) throws Exception {
            String mirror = """
                //mirror[mirrorOf = '%1$s' or not(//mirror/mirrorOf = '%1$s') and not(contains(%2$s, ',!%1$s,'))
                    and (contains(%2$s, ',%1$s,') or contains(%2$s, ',*,') or contains(%2$s, ',external:*,'))]
                """.formatted(id, "concat(',', translate(mirrorOf, ' ', ''), ',')");
            String original = id.equals("central") ? "https://repo.maven.apache.org/maven2" : "";
            String url = text(mirror + "/url", original).replaceFirst("/$", "");
            String server = "//server[id = '" + text(mirror + "/id", id) + "']";
            String password = text(server + "/password", "");
            if (password.startsWith("{")) {
                System.err.println("Only Maven can read its encrypted password for " + url);
            }
            return new Repository(url, text(server + "/username", ""), password);
        }

        /** Makes Maven's active proxy Java's, unless Java has one. */
        public void useProxies() throws Exception {
            if (System.getProperty("http.proxyHost") != null || System.getProperty("https.proxyHost") != null) {
                return;
            }
            String[] names = {"proxyHost", "proxyPort", "proxyUser", "proxyPassword", "nonProxyHosts"};
            String[] elements = {"host", "port", "username", "password", "nonProxyHosts"};
            for (String scheme : List.of("http", "https")) {
                String active = "//proxy[not(active = 'false')]";
                String proxy = active + "[protocol = '%1$s' or not(%2$s/protocol = '%1$s')]".formatted(scheme, active);
                for (int i = 0; i < names.length; i++) {
                    String value = text(proxy + "/" + elements[i], "");
                    if (!value.isEmpty()) {
                        System.setProperty(scheme + "." + names[i], value);
                    }
                }
            }
        }
    }
}

/**
 * Makes a Gradle installation of the jars in its lib directory.
 *
 * <p>Gradle's classes are published as one jar, {@code gradle-api}. Gradle itself expects a directory with one jar per
 * module, each naming the modules it needs. So each module becomes a small jar that holds its description and points, by the
 * {@code Class-Path} of its manifest, at the jars with the classes.
 */
final class AssembledGradle {
    private static final String DESCRIPTION = "-classpath.properties";

    /** What Gradle looks up by name although it needs no jar: its classes are in the API jar, or no build uses them. */
    private static final String UNNECESSARY = """
        gradle-installation-beacon gradle-instrumentation-agent gradle-java-compiler-plugin commons-lang
        groovy-astbuilder groovy-console groovy-groovydoc groovy-sql groovy-test guava javaparser-core javax.inject
        jul-to-slf4j kryo native-platform slf4j-api
        """;

    /** Starts the installation that the environment names; select.sh calls it. */
    public static void main(String[] args) throws Exception {
        File jar = new File(System.getenv("GRADLE_FROM_MAVEN"), "lib/gradle-launcher-8.8.jar");
        URL[] classPath = {jar.toURI().toURL()};
        ClassLoader launcher = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(launcher);
        Class<?> main = launcher.loadClass("org.gradle.launcher.GradleMain");
        main.getMethod("main", String[].class).invoke(null, (Object) args);
    }

    /** Provides the jar of {@code gradleApi()}, which Gradle would generate from the jars of its modules. Those are empty. */
    static void provideApi(File gradle, File home) throws IOException {
        Path api = gradle.toPath().resolve("lib/gradle-api-8.8.jar");
        Path generated = home.toPath().resolve("caches/8.8/generated-gradle-jars/gradle-api-8.8.jar");
        Files.createDirectories(generated.getParent());
        try {
            Files.createLink(generated, api);
        } catch (FileAlreadyExistsException earlierBuild) {
        } catch (IOException | UnsupportedOperationException e) {
            Files.copy(api, generated); // on a file system without hard links
        }
    }

    static void make(Path gradle, Path sources) throws Exception {
        Path lib = gradle.resolve("lib");
        String classPath = String.join(" ", lib.toFile().list());
        Files.createDirectories(lib.resolve("plugins"));
        try (FileSystem groovy = FileSystems.newFileSystem(lib.resolve("groovy-3.0.21.jar"))) {
            useNewAsm(lib, groovy, "groovyjarjarasm/asm");
        }
        adaptApi(lib, classPath);
        for (String name : UNNECESSARY.split("\\s+")) {
            writeModule(lib, name, "projects=\nruntime=\n", classPath);
        }
        Files.writeString(gradle.resolve("gradle.properties"), "org.gradle.internal.instrumentation.agent=false\n");
        Path scripts = Files.createDirectories(gradle.resolve("init.d"));
        Files.copy(sources.resolve("init.gradle"), scripts.resolve("init.gradle"));
        String source = sources.resolve("GradleFromMaven.java").toString();
        String classes = lib.resolve("from-maven").toString();
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, "--release", "17", "-d", classes, source) != 0) {
            throw new IOException(source + " does not compile");
        }
    }

    /** Makes the API jar fit to run builds from, and writes the jars of the modules that it describes. */
    private static void adaptApi(Path lib, String classPath) throws IOException {
        try (FileSystem api = FileSystems.newFileSystem(lib.resolve("gradle-api-8.8.jar"))) {
            useNewAsm(lib, api, "org/gradle/internal/impldep/org/objectweb/asm");
            // Services that the JDK itself would start, from a class path that was not made for it.
            for (Path service : list(api.getPath("META-INF/services"), "java*")) {
                Files.delete(service);
            }
            Files.writeString(api.getPath("gradle-kotlin-dsl-versions.properties"), "kotlin=none\n");
            Path tasks = api.getPath("org/gradle/api/internal/tasks");
            // The test runner refers to JUnit under the name of a private copy, but tests bring the real one.
            for (String framework : List.of("testing/junit", "testing/junitplatform")) {
                for (Path file : list(tasks.resolve(framework), "*.class")) {
                    rename("org([/.])gradle\\1internal\\1impldep\\1(org\\1junit|junit\\1)", "$2", file, file);
                }
            }
            // The analysis for incremental compilation is in no artifact: no compiler may seem to support it.
            Path compiler = tasks.resolve("compile/JdkJavaCompiler.class");
            rename("org/[\\w/]+/IncrementalCompilationAwareJavaCompiler", "java/lang/Runnable", compiler, compiler);
            for (Path file : list(api.getPath("/"), "*" + DESCRIPTION)) {
                String name = file.getFileName().toString().replace(DESCRIPTION, "");
                // The class path holds all libraries anyway.
                writeModule(lib, name, Files.readString(file).replaceAll("(?m)^runtime=.*", "runtime="), classPath);
            }
        }
    }

    /** Replaces the private copy of ASM in a package of a jar, which rejects the class files of JDKs newer than it is. */
    private static void useNewAsm(Path lib, FileSystem jar, String copy) throws IOException {
        try (FileSystem asm = FileSystems.newFileSystem(lib.resolve("asm-9.11.1.jar"))) {
            for (Path file : list(asm.getPath("org/objectweb/asm"), "*.class")) {
                Path to = jar.getPath(copy, file.getFileName().toString());
                rename("org/objectweb/asm", copy, file, to);
            }
        }
    }

    /** Copies a class file and renames in its constants (JVM specification, 4.4). */
    private static void rename(String pattern, String newName, Path from, Path to) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(from)));
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(to)))) {
            out.writeLong(in.readLong());
            int count = in.readUnsignedShort();
            out.writeShort(count);
            for (int i = 1; i < count; i++) {
                int tag = in.readUnsignedByte();
                out.writeByte(tag);
                switch (tag) {
                    case 1 -> out.writeUTF(in.readUTF().replaceAll(pattern, newName));
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
        }
    }

    private static void writeModule(Path lib, String name, String description, String classPath) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        Path jar = lib.resolve(name + "-8.8.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new JarEntry(name + DESCRIPTION));
            out.write(description.getBytes());
        }
    }

    private static List<Path> list(Path directory, String glob) throws IOException {
        List<Path> result = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, glob)) {
            files.forEach(result::add);
        }
        return result;
    }
}
