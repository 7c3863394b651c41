import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.math.BigInteger;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.PasswordAuthentication;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;

/**
 * Starts Gradle where no installation of it is known yet: with the stock wrapper if that can download one, otherwise
 * from one assembled from Maven artifacts. {@code gradlew} runs this with the wrapper as its class path; see README.md.
 */
final class GradleFromMaven {
    static final String VERSION = "8.8";

    /** From the start of this process to the decision; the rest of the promised 5 seconds is for the script around. */
    private static final Duration DECISION = Duration.ofMillis(4500);

    private final Path project;
    private final Path home;
    private final Properties wrapper;

    private GradleFromMaven(Path project, Path home, Properties wrapper) {
        this.project = project;
        this.home = home;
        this.wrapper = wrapper;
    }

    public static void main(String[] args) throws Throwable {
        Path wrapperJar = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
        Path project = wrapperJar.getParent().getParent().getParent();
        Path home = userHome(args);
        Properties wrapper = load(wrapperJar.resolveSibling("gradle-wrapper.properties"));
        try {
            new GradleFromMaven(project, home, wrapper).run(args);
        } catch (Refusal e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private void run(String[] args) throws Throwable {
        Path here = project.resolve("gradle/from-maven");
        String revision = Files.readString(here.resolve("revision")).strip();
        Installation installation = new Installation(home.resolve("from-maven").resolve(revision));
        if (wrapperHasDistribution()) {
            start(ClassLoader.getSystemClassLoader(), "org.gradle.wrapper.GradleWrapperMain", args);
        } else if (installation.exists()) {
            start(installation.classLoader(), "org.gradle.launcher.GradleMain", args);
        } else {
            boolean offline = List.of(args).contains("--offline");
            String unreachable = offline ? "--offline was asked for" : whyUnreachable(args);
            if (unreachable == null) {
                start(ClassLoader.getSystemClassLoader(), "org.gradle.wrapper.GradleWrapperMain", args);
                return;
            }
            try {
                installation.assemble(here, new Maven(offline), unreachable);
            } catch (MavenFailure e) {
                throw new Refusal(advice(unreachable, e.getMessage()));
            } catch (IOException e) {
                throw new Refusal("Gradle %s could not be assembled in %s: %s; GRADLE_USER_HOME names another directory"
                        .formatted(VERSION, home, e));
            }
            start(installation.classLoader(), "org.gradle.launcher.GradleMain", args);
        }
    }

    private static void start(ClassLoader loader, String mainClass, String[] args) throws Throwable {
        Thread.currentThread().setContextClassLoader(loader);
        try {
            loader.loadClass(mainClass).getMethod("main", String[].class).invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Where the wrapper keeps this distribution. A zip that somebody put there it unpacks without a download. */
    private Path wrapperDirectory() throws GeneralSecurityException {
        byte[] md5 = MessageDigest.getInstance("MD5").digest(distributionUrl().getBytes());
        String name = zipName().replaceFirst("\\.zip$", "");
        return home.resolve("wrapper/dists").resolve(name).resolve(new BigInteger(1, md5).toString(36));
    }

    private boolean wrapperHasDistribution() throws GeneralSecurityException {
        Path zip = wrapperDirectory().resolve(zipName());
        return Files.exists(zip) || Files.exists(zip.resolveSibling(zipName() + ".ok"));
    }

    private String distributionUrl() {
        return wrapper.getProperty("distributionUrl");
    }

    private String zipName() {
        return distributionUrl().substring(distributionUrl().lastIndexOf('/') + 1);
    }

    /** The reason why the wrapper could not download the distribution now, or null if it could. */
    private String whyUnreachable(String[] args) throws Exception {
        useSystemProperties(args);
        FutureTask<String> probe = new FutureTask<>(() -> {
            URLConnection connection = new URL(distributionUrl()).openConnection();
            try (InputStream in = connection.getInputStream()) {
                // A captive portal answers as well, but not with a zip file.
                return Arrays.equals(in.readNBytes(2), new byte[] {'P', 'K'}) ? null : "answers with something else";
            } finally {
                if (connection instanceof HttpURLConnection http) {
                    http.disconnect();
                }
            }
        });
        Thread thread = new Thread(probe, "probe");
        // Name resolution and connecting through a proxy know no common time limit: leave a hanging probe behind.
        thread.setDaemon(true);
        thread.start();
        Instant start = ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
        long left = DECISION.minus(Duration.between(start, Instant.now())).toMillis();
        try {
            // The system's idea of when a process started may be wrong by a second.
            return probe.get(Math.min(Math.max(left, 500), 4000), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return "no answer within 5 seconds";
        } catch (ExecutionException e) {
            return e.getCause().toString().replaceFirst("^java\\.(io|net)\\.", "");
        }
    }

    /** The wrapper reads proxies and credentials from these places, in this order. */
    private void useSystemProperties(String[] args) throws IOException {
        for (Path directory : List.of(project, home)) {
            Path file = directory.resolve("gradle.properties");
            if (Files.exists(file)) {
                load(file).forEach((key, value) -> {
                    if (key.toString().startsWith("systemProp.")) {
                        System.setProperty(key.toString().substring("systemProp.".length()), value.toString());
                    }
                });
            }
        }
        for (String arg : args) {
            if (arg.startsWith("-D") && arg.contains("=")) {
                System.setProperty(arg.substring(2, arg.indexOf('=')), arg.substring(arg.indexOf('=') + 1));
            }
        }
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

    private String advice(String unreachable, String maven) throws GeneralSecurityException {
        return """
                Gradle %s is not installed yet, and could not be fetched in either way:
                  %s: %s
                  Maven: %s
                One of these helps:
                  - Let this machine reach one of the two, once. Gradle's proxy (systemProp.https.proxyHost and
                    systemProp.https.proxyPort) is set in %s,
                    Maven's mirrors and proxies in its settings.xml.
                  - Get %s elsewhere and copy it into
                    %s""".formatted(
                        VERSION,
                        distributionUrl().replaceFirst("//[^/]*@", "//"),
                        unreachable,
                        maven,
                        home.resolve("gradle.properties"),
                        zipName(),
                        wrapperDirectory());
    }

    private static Path userHome(String[] args) {
        String home = System.getenv("GRADLE_USER_HOME");
        home = System.getProperty("gradle.user.home", home);
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith("-Dgradle.user.home=") || args[i].startsWith("--gradle-user-home=")) {
                home = args[i].substring(args[i].indexOf('=') + 1);
            } else if ((args[i].equals("-g") || args[i].equals("--gradle-user-home")) && i + 1 < args.length) {
                home = args[i + 1];
            }
        }
        return (home == null ? Path.of(System.getProperty("user.home"), ".gradle") : Path.of(home)).toAbsolutePath();
    }

    private static Properties load(Path file) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
        }
        return properties;
    }
}

/** A failure that the user can do something about; its message is all there is to show. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    Refusal(String message) {
        super(message);
    }
}

/** Maven did not get the artifacts. */
final class MavenFailure extends Exception {
    private static final long serialVersionUID = 1;

    MavenFailure(String message) {
        super(message);
    }
}

/** The place of an assembled Gradle, shared by all builds of a user. */
final class Installation {
    private final Path directory;
    private volatile boolean stopping;

    Installation(Path directory) {
        this.directory = directory;
    }

    boolean exists() {
        return Files.exists(launcher()) && Files.exists(directory.resolve("lib").resolve(Assembly.API));
    }

    private Path launcher() {
        return directory.resolve("lib/gradle-launcher-" + GradleFromMaven.VERSION + ".jar");
    }

    ClassLoader classLoader() throws IOException {
        URL[] classPath = {launcher().toUri().toURL()};
        return new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader());
    }

    /** Assembles it unless another build does so first. The lock is the operating system's: it dies with its holder. */
    void assemble(Path sources, Maven maven, String reason) throws Exception {
        Files.createDirectories(directory.getParent());
        Path lockFile = directory.resolveSibling("lock");
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock(channel);
            if (!exists()) {
                System.err.printf(
                        "Gradle %s: its download site is out of reach (%s); assembling it from Maven artifacts,"
                                + " about 200 MB, once, in %s%n",
                        GradleFromMaven.VERSION, reason, directory);
                assembleLocked(sources, maven);
            }
        }
    }

    private static void lock(FileChannel channel) throws IOException {
        if (channel.tryLock() == null) {
            System.err.printf("Gradle %s: waiting for another build, which assembles it%n", GradleFromMaven.VERSION);
            channel.lock();
        }
    }

    private void assembleLocked(Path sources, Maven maven) throws Exception {
        for (Path leftover : Assembly.list(directory.getParent(), ".partial")) {
            delete(leftover);
        }
        Path work = directory.resolveSibling(ProcessHandle.current().pid() + "-" + System.nanoTime() + ".partial");
        Thread tidyUp = new Thread(() -> {
            stopping = true;
            maven.stop();
            delete(work);
        });
        Runtime.getRuntime().addShutdownHook(tidyUp);
        try {
            Path gradle = work.resolve("gradle");
            new Assembly(gradle, sources).make(maven);
            delete(directory); // what has lost a jar
            Files.move(gradle, directory, StandardCopyOption.ATOMIC_MOVE);
        } catch (Exception e) {
            if (stopping) {
                // By the user, who needs no explanation of what fails now; the process ends with its hook.
                Thread.currentThread().join();
            }
            throw e;
        } finally {
            delete(work);
        }
    }

    static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            // Gone already, or in use on Windows: the next attempt tries again.
        }
    }
}

/**
 * Makes a Gradle installation out of Maven artifacts.
 *
 * <p>Gradle's classes come as one jar, {@code dev.gradleplugins:gradle-api}. Gradle itself expects a directory with one
 * jar per module, each naming the modules it needs. So each module becomes a small jar that holds its description and
 * points, by the {@code Class-Path} of its manifest, at the jars with the classes.
 */
final class Assembly {
    static final String API = "gradle-api-" + GradleFromMaven.VERSION + ".jar";
    private static final String TEST_KIT = "gradle-test-kit-" + GradleFromMaven.VERSION + ".jar";
    private static final String DESCRIPTION = "-classpath.properties";
    private static final String NOTHING_NEEDED = "projects=\nruntime=\n";

    /** Modules that Gradle asks for by name although their classes are in the API jar. */
    private static final List<String> LIBRARIES =
            List.of("asm", "commons-lang", "guava", "jul-to-slf4j", "kryo", "native-platform", "slf4j-api");

    /** Services in the API jar that the JDK itself would start, from a class path that was not made for it. */
    private static final List<String> JDK_SERVICES = List.of(
            "java.nio.file.spi.FileSystemProvider", "java.security.Provider", "javax.script.ScriptEngineFactory");

    private final Path gradle;
    private final Path lib;
    private final Path sources;

    Assembly(Path gradle, Path sources) {
        this.gradle = gradle;
        this.lib = gradle.resolve("lib");
        this.sources = sources;
    }

    void make(Maven maven) throws Exception {
        Files.createDirectories(lib.resolve("plugins"));
        Artifacts artifacts = Artifacts.read(sources.resolve("artifacts.txt"));
        artifacts.copyTo(lib, maven.fetch(artifacts));
        String classPath = String.join(" ", artifacts.jars());
        adaptTestKit(lib.resolve(TEST_KIT), artifacts.jars());
        for (Map.Entry<String, String> module :
                adaptApi(lib.resolve(API), artifacts.jars()).entrySet()) {
            writeModule(module.getKey(), module.getValue(), classPath);
        }
        for (Path module : list(sources.resolve("missing"), "")) {
            writeMissing(module);
        }
        // Gradle asks for this module even where gradle.properties turns it off.
        writeModule("gradle-instrumentation-agent", NOTHING_NEEDED, "");
        for (String library : LIBRARIES) {
            writeJar(library + "-0.jar", classPath, Map.of());
        }
        copyScripts(sources.resolve("init.d"), gradle.resolve("init.d"));
        Files.writeString(gradle.resolve("gradle.properties"), "org.gradle.internal.instrumentation.agent=false\n");
    }

    /** Makes the API jar fit to run builds from, and returns the descriptions of the modules in it. */
    private static Map<String, String> adaptApi(Path api, List<String> jars) throws IOException {
        try (FileSystem jar = FileSystems.newFileSystem(api)) {
            for (String service : JDK_SERVICES) {
                Files.deleteIfExists(jar.getPath("META-INF/services", service));
            }
            Files.writeString(jar.getPath("gradle-kotlin-dsl-versions.properties"), "kotlin=none\n");
            for (String framework : List.of("junit", "junitplatform")) {
                Path classes = jar.getPath("org/gradle/api/internal/tasks/testing", framework);
                for (Path file : list(classes, ".class")) {
                    Files.write(file, useRealJUnit(Files.readAllBytes(file)));
                }
            }
            Map<String, String> modules = new TreeMap<>();
            for (Path file : list(jar.getPath("/"), DESCRIPTION)) {
                modules.put(file.getFileName().toString().replace(DESCRIPTION, ""), describe(file, jars));
            }
            return modules;
        }
    }

    /**
     * The test runner in the API jar looks for JUnit under the name of a private copy, but tests bring the real one.
     * Renames it in the constants of a class file (JVM specification, 4.4), and leaves the rest as it is.
     */
    private static byte[] useRealJUnit(byte[] classFile) throws IOException {
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
                case 1 ->
                    out.writeUTF(in.readUTF()
                            .replaceAll("org([/.])gradle\\1internal\\1impldep\\1(org\\1junit|junit\\1)", "$2"));
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

    private static void adaptTestKit(Path testKit, List<String> jars) throws IOException {
        try (FileSystem jar = FileSystems.newFileSystem(testKit)) {
            Path file = jar.getPath("gradle-test-kit" + DESCRIPTION);
            Files.writeString(file, describe(file, jars));
        }
    }

    /** The description of a module, less the libraries that are in the API jar. */
    private static String describe(Path file, List<String> jars) throws IOException {
        Properties original = new Properties();
        original.load(new StringReader(Files.readString(file)));
        String libraries = Stream.of(original.getProperty("runtime", "").split(","))
                .filter(jars::contains)
                .collect(Collectors.joining(","));
        return "projects=%s\nruntime=%s\noptional=%s\n"
                .formatted(original.getProperty("projects", ""), libraries, original.getProperty("optional", ""));
    }

    private void writeModule(String name, String description, String classPath) throws IOException {
        String jar = name + "-" + GradleFromMaven.VERSION + ".jar";
        writeJar(jar, classPath, Map.of(name + DESCRIPTION, description.getBytes()));
    }

    /** Compiles the sources of a module and writes its jar. */
    private void writeMissing(Path module) throws Exception {
        String name = module.getFileName().toString();
        Path classes = Files.createTempDirectory(gradle.getParent(), name);
        for (Path source : list(module, ".java")) {
            if (ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", classes.toString(), source.toString())
                    != 0) {
                throw new Refusal(source + " does not compile");
            }
        }
        Map<String, byte[]> entries = new TreeMap<>(Map.of(name + DESCRIPTION, NOTHING_NEEDED.getBytes()));
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                entries.put(
                        classes.relativize(file).toString().replace(File.separatorChar, '/'), Files.readAllBytes(file));
            }
        }
        writeJar(name + "-" + GradleFromMaven.VERSION + ".jar", "", entries);
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

    private static void copyScripts(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        for (Path script : list(from, ".gradle")) {
            Files.copy(script, to.resolve(script.getFileName().toString()));
        }
    }

    static List<Path> list(Path directory, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().endsWith(suffix))
                    .toList();
        }
    }
}

/** The artifacts that Gradle is made of, by their coordinates, each with its SHA-256. */
record Artifacts(Map<String, String> checksums) {
    static Artifacts read(Path table) throws IOException {
        Map<String, String> checksums = new TreeMap<>();
        for (String line : Files.readAllLines(table)) {
            String[] columns = line.split("  ");
            checksums.put(columns[1], columns[0]);
        }
        return new Artifacts(checksums);
    }

    List<String> jars() {
        return checksums.keySet().stream().map(Artifacts::jar).toList();
    }

    private static String jar(String coordinates) {
        String[] parts = coordinates.split(":");
        return parts[1] + "-" + parts[2] + ".jar";
    }

    /** A Maven project that depends on these artifacts and on nothing else. */
    String pom() {
        String dependency =
                "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version><exclusions>"
                        + "<exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>";
        String project =
                "<project><modelVersion>4.0.0</modelVersion><groupId>local</groupId><artifactId>gradle</artifactId>"
                        + "<version>1</version><packaging>pom</packaging><dependencies>%s</dependencies></project>";
        return project.formatted(checksums.keySet().stream()
                .map(coordinates -> dependency.formatted((Object[]) coordinates.split(":")))
                .collect(Collectors.joining()));
    }

    void copyTo(Path directory, List<Path> files) throws Exception {
        for (Map.Entry<String, String> artifact : checksums.entrySet()) {
            String jar = jar(artifact.getKey());
            Path file = files.stream()
                    .filter(f -> f.getFileName().toString().equals(jar))
                    .findFirst()
                    .orElseThrow(() -> new Refusal("Maven did not name a file for " + artifact.getKey()));
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), sha256)) {
                Files.copy(in, directory.resolve(jar));
            }
            String actual = HexFormat.of().formatHex(sha256.digest());
            if (!actual.equals(artifact.getValue())) {
                throw new Refusal("%s has SHA-256 %s instead of %s; if the file is damaged, delete it and try again"
                        .formatted(file, actual, artifact.getValue()));
            }
        }
    }
}

/** The user's own Maven, so that its mirrors, proxies, credentials and local repository hold here as well. */
final class Maven {
    private static final Pattern MEGABYTES = Pattern.compile("\\b(\\d+)(?:\\.\\d+)?(?:/\\d+(?:\\.\\d+)?)? MB");

    private final boolean offline;
    private volatile int fetched;

    private final Object lock = new Object();

    /** Guarded by the lock, as is the process: none is started after the end was asked for. */
    private boolean stopped;

    private Process process;

    Maven(boolean offline) {
        this.offline = offline;
    }

    /** Returns the artifacts' files in Maven's local repository. */
    List<Path> fetch(Artifacts artifacts) throws Exception {
        // Not with the installation: Maven may outlive a killed attempt, and must not write into what comes after it.
        Path work = Files.createTempDirectory("gradle-from-maven");
        try {
            return fetch(artifacts, work);
        } finally {
            Installation.delete(work);
        }
    }

    private List<Path> fetch(Artifacts artifacts, Path work) throws Exception {
        Path pom = Files.writeString(work.resolve("pom.xml"), artifacts.pom());
        Path classPath = work.resolve("class-path.txt");
        Path maven = find();
        // Not in batch mode, for Maven reports the progress of a download only in the interactive one.
        Process running = start(new ProcessBuilder(
                        maven.toString(),
                        offline ? "--offline" : "--fail-fast",
                        "--file",
                        pom.toString(),
                        "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath",
                        "-Dmdep.outputFile=" + classPath)
                .directory(work.toFile())
                .redirectErrorStream(true));
        running.getOutputStream().close();
        Thread progress = new Thread(this::reportProgress, "progress");
        progress.setDaemon(true);
        progress.start();
        try {
            String error = readOutput(running);
            if (running.waitFor() != 0) {
                throw new MavenFailure(maven + " failed: " + error);
            }
        } finally {
            progress.interrupt();
            progress.join();
        }
        return Stream.of(Files.readString(classPath).strip().split(File.pathSeparator))
                .map(Path::of)
                .toList();
    }

    private Process start(ProcessBuilder builder) throws IOException, MavenFailure {
        synchronized (lock) {
            if (stopped) {
                throw new MavenFailure("the build was ended");
            }
            process = builder.start();
            return process;
        }
    }

    void stop() {
        synchronized (lock) {
            stopped = true;
            if (process != null) {
                // mvn.cmd starts a process of its own.
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
            }
        }
    }

    private static Path find() throws MavenFailure {
        String program = File.separatorChar == '\\' ? "mvn.cmd" : "mvn";
        Stream<String> path =
                Stream.ofNullable(System.getenv("PATH")).flatMap(p -> Stream.of(p.split(File.pathSeparator)));
        Stream<String> homes =
                Stream.of("MAVEN_HOME", "M2_HOME").map(System::getenv).filter(Objects::nonNull);
        return Stream.concat(path, homes.map(home -> home + File.separator + "bin"))
                .map(directory -> Path.of(directory.replace("\"", ""), program))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst()
                .orElseThrow(() -> new MavenFailure("there is no " + program + " on the PATH, nor in MAVEN_HOME"));
    }

    /** Follows Maven's output to its end, and returns its first error, or else its last line. */
    private String readOutput(Process process) throws IOException {
        String error = null;
        String last = "no output";
        try (BufferedReader reader = process.inputReader()) {
            // Also splits at the carriage returns between two reports of progress.
            for (String line; (line = reader.readLine()) != null; ) {
                Matcher megabytes = MEGABYTES.matcher(line);
                while (line.startsWith("Progress") && megabytes.find()) {
                    fetched = Math.max(fetched, Integer.parseInt(megabytes.group(1)));
                }
                String text = line.replaceAll("\u001b\\[[\\d;]*m", "").strip();
                if (error == null && text.startsWith("[ERROR] ")) {
                    error = text.substring("[ERROR] ".length());
                }
                last = text.isEmpty() ? last : text;
            }
        }
        return error == null ? last : error;
    }

    /** One line that is written again and again on a terminal, a line now and then elsewhere. */
    private void reportProgress() {
        boolean terminal = Boolean.getBoolean("gradle.from-maven.terminal");
        Instant start = Instant.now();
        try {
            while (true) {
                Thread.sleep(terminal ? 500 : 10_000);
                String amount = fetched == 0 ? "" : fetched + " of 200 MB, ";
                String line =
                        "  " + amount + Duration.between(start, Instant.now()).toSeconds() + " s";
                System.err.print(terminal ? "\r" + line + "\u001b[K" : line + System.lineSeparator());
            }
        } catch (InterruptedException e) {
            System.err.print(terminal ? "\r\u001b[K" : "");
        }
    }
}
