package dev.oneengine.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.cache.EngineCache;
import java.io.IOException;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.resolver.MigrationResolver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScriptFilesTest {
    @TempDir
    Path directory;

    private Folder scripts;

    @BeforeEach
    void write() throws IOException {
        scripts = Folder.withTwoScripts(directory);
    }

    private String stamp() {
        return new ScriptFiles(new FluentConfiguration().locations(scripts.location())).stamp();
    }

    @Test
    void unchanged_files_have_equal_stamps() throws IOException {
        String before = stamp();

        assertThat(stamp()).isEqualTo(before).contains("V1__one.sql", "V2__two.sql");
        scripts.script("V3__three.sql", "");
        assertThat(stamp()).isNotEqualTo(before);
        scripts.remove("V3__three.sql");
        assertThat(stamp()).isEqualTo(before);
    }

    @Test
    void folders_of_the_classpath_have_a_stamp() {
        assertThat(new ScriptFiles(new FluentConfiguration().locations("classpath:db/migration")).stamp())
                .contains("V1__plans.sql", "V2__first_plan.sql");
    }

    @Test
    void archives_of_the_classpath_have_a_stamp() throws Exception {
        Path jar = jar("V1__in_jar.sql", "CREATE TABLE in_jar(name TEXT);");
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
            FluentConfiguration configuration = new FluentConfiguration(loader).locations("classpath:injar");

            assertThat(new ScriptFiles(configuration).stamp()).contains("scripts.jar");
        }
    }

    /** Resources in a modular run-time image, whose URLs are neither files nor jars. */
    @Test
    void resources_of_the_runtime_image_have_an_empty_stamp() {
        ClassLoader loader = new ClassLoader(null) {
            @Override
            protected Enumeration<URL> findResources(String name) throws IOException {
                return Collections.enumeration(List.of(new URL("jrt:/java.base/" + name)));
            }
        };

        assertThat(new ScriptFiles(new FluentConfiguration(loader).locations("classpath:java/lang")).stamp())
                .isEmpty();
    }

    /** Resources in an archive of Spring Boot 3.1, whose URL connections point to a nested archive. */
    @Test
    void nested_archives_have_an_empty_stamp() throws Exception {
        URL outer = directory.resolve("app.jar").toUri().toURL();
        URLStreamHandler handler = new URLStreamHandler() {
            @Override
            protected URLConnection openConnection(URL url) throws IOException {
                return new JarURLConnection(url) {
                    @Override
                    public URL getJarFileURL() {
                        return inner(outer);
                    }

                    @Override
                    public JarFile getJarFile() throws IOException {
                        throw new IOException("not needed");
                    }

                    @Override
                    public void connect() {
                        // The test opens no connection.
                    }
                };
            }
        };
        URL nested = new URL(null, "jar:" + inner(outer).getFile() + "!/injar", handler);
        ClassLoader loader = new ClassLoader(null) {
            @Override
            protected Enumeration<URL> findResources(String name) {
                return Collections.enumeration(List.of(nested));
            }
        };

        assertThat(new ScriptFiles(new FluentConfiguration(loader).locations("classpath:injar")).stamp())
                .isEmpty();
        assertThat(new ScriptFiles(new FluentConfiguration(loader).locations("classpath:injar")).callbacks())
                .isEmpty();
    }

    private static URL inner(URL outer) {
        try {
            return new URL("jar:" + outer + "!/BOOT-INF/lib/scripts.jar");
        } catch (MalformedURLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void undo_scripts_are_neither_migrations_nor_callbacks() throws IOException {
        FluentConfiguration configuration = new FluentConfiguration().locations(scripts.location());
        scripts.script("U1__one.sql", "DROP TABLE one;");
        assertThat(new ScriptFiles(configuration).callbacks()).isEmpty();

        scripts.script("Undo.sql", "SELECT 1;");
        assertThat(new ScriptFiles(configuration).callbacks()).startsWith("Undo.sql");
    }

    @Test
    void scripts_in_an_archive_are_applied() throws Exception {
        Path jar = jar("V1__in_jar.sql", "CREATE TABLE in_jar(name TEXT);");
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before);
                EngineCache cache = EngineCache.create()) {
            Thread.currentThread().setContextClassLoader(loader);
            MigrationRunner runner =
                    MigrationRunner.on("sqlite:///:memory:").cache(cache).locations("classpath:injar");

            assertThat(runner.migrate().applied()).hasSize(1);
            assertThat(runner.migrate()).isSameAs(runner.migrate());
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private Path jar(String script, String sql) throws IOException {
        Path jar = directory.resolve("scripts.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new ZipEntry("injar/"));
            out.putNextEntry(new ZipEntry("injar/" + script));
            out.write(sql.getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }

    @Test
    void other_sources_of_scripts_have_no_stamp() {
        MigrationResolver resolver = context -> List.of();
        ResourceProvider provider = new ResourceProvider() {
            @Override
            public org.flywaydb.core.api.resource.LoadableResource getResource(String name) {
                return null;
            }

            @Override
            public Collection<org.flywaydb.core.api.resource.LoadableResource> getResources(
                    String prefix, String[] suffixes) {
                return List.of();
            }
        };

        assertThat(new ScriptFiles(new FluentConfiguration().resolvers(resolver)).stamp())
                .isNull();
        assertThat(new ScriptFiles(new FluentConfiguration().resourceProvider(provider)).stamp())
                .isNull();
    }

    @Test
    void a_missing_location_does_not_hide_callbacks_of_other_locations() throws IOException {
        scripts.script("afterMigrate.sql", "SELECT 1;");
        FluentConfiguration configuration =
                new FluentConfiguration().locations("filesystem:" + directory.resolve("none"), scripts.location());

        assertThat(new ScriptFiles(configuration).callbacks()).contains("afterMigrate.sql");
        assertThat(new ScriptFiles(configuration).stamp()).contains("V1__one.sql");
    }

    @Test
    void the_order_of_files_and_locations_does_not_change_the_stamp() throws IOException {
        scripts.script("beforeMigrate.sql", "SELECT 1;");
        Folder more = new Folder(Files.createDirectories(directory.resolve("more")))
                .script("V3__three.sql", "SELECT 3;")
                .script("afterMigrate.sql", "SELECT 2;");
        ScriptFiles one = files(scripts, more);
        ScriptFiles other = files(more, scripts);

        assertThat(one.callbacks()).isEqualTo(other.callbacks());
        assertThat(one.stamp()).isEqualTo(other.stamp());
    }

    /** Flyway sorts locations. So both folders are one location on the classpath, which keeps their order. */
    private static ScriptFiles files(Folder first, Folder second) {
        ClassLoader loader = new ClassLoader(null) {
            @Override
            protected Enumeration<URL> findResources(String name) throws IOException {
                return Collections.enumeration(List.of(
                        first.path().toUri().toURL(), second.path().toUri().toURL()));
            }
        };
        return new ScriptFiles(new FluentConfiguration(loader).locations("classpath:scripts"));
    }

    /** Without a stamp, only reading the scripts can detect a change. */
    @Test
    void scripts_without_a_stamp_are_read_each_time() {
        try (EngineCache cache = EngineCache.create()) {
            MigrationRunner runner = MigrationRunner.on("sqlite:///:memory:")
                    .cache(cache)
                    .locations(scripts.location())
                    .configure(flyway -> flyway.resolvers(context -> List.of()));

            assertThat(runner.migrate().applied()).hasSize(2);
            assertThat(runner.migrate()).isSameAs(runner.migrate());
        }
    }
}
