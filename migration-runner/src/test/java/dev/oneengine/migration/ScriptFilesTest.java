package dev.oneengine.migration;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
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
        return new ScriptFiles(new FluentConfiguration().locations(scripts.location()))
                .stamp()
                .text();
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

    /** A way to change scripts. */
    private enum Change {
        EDIT {
            @Override
            void apply(Path scripts) throws IOException {
                Path script = scripts.resolve("V1__one.sql");
                Files.writeString(script, Files.readString(script).replace("'V1'", "'W1'"));
            }
        },
        APPEND {
            @Override
            void apply(Path scripts) throws IOException {
                Files.writeString(scripts.resolve("V1__one.sql"), "-- end", StandardOpenOption.APPEND);
            }
        },
        APPEND_AND_RESTORE_THE_TIME {
            @Override
            void apply(Path scripts) throws IOException {
                FileTime time = Files.getLastModifiedTime(scripts.resolve("V1__one.sql"));
                APPEND.apply(scripts);
                Files.setLastModifiedTime(scripts.resolve("V1__one.sql"), time);
            }
        },
        REPLACE_BY_EQUAL_SIZE_AND_TIME {
            @Override
            void apply(Path scripts) throws IOException {
                Path script = scripts.resolve("V1__one.sql");
                Path other = Files.copy(script, scripts.resolveSibling("other.sql"), COPY_ATTRIBUTES);
                Files.move(other, script, ATOMIC_MOVE);
            }
        },
        ADD {
            @Override
            void apply(Path scripts) throws IOException {
                Files.writeString(scripts.resolve("V9__nine.sql"), "SELECT 9;");
            }
        },
        ADD_AND_RESTORE_THE_TIME_OF_THE_FOLDER {
            @Override
            void apply(Path scripts) throws IOException {
                FileTime time = Files.getLastModifiedTime(scripts);
                ADD.apply(scripts);
                Files.setLastModifiedTime(scripts, time);
            }
        },
        ADD_BELOW {
            @Override
            void apply(Path scripts) throws IOException {
                ADD.apply(scripts.resolve("below"));
            }
        },
        ADD_BEHIND_A_LINK {
            @Override
            void apply(Path scripts) throws IOException {
                ADD.apply(scripts.resolveSibling("linked"));
            }
        },
        ADD_A_FOLDER {
            @Override
            void apply(Path scripts) throws IOException {
                Folder.withTwoScripts(scripts);
            }
        },
        LEAD_A_LINK_ELSEWHERE {
            @Override
            void apply(Path scripts) throws IOException {
                Files.delete(scripts.resolve("link"));
                Files.createSymbolicLink(scripts.resolve("link"), scripts.resolve("below"));
            }
        },
        RENAME {
            @Override
            void apply(Path scripts) throws IOException {
                Files.move(scripts.resolve("V1__one.sql"), scripts.resolve("V4__one.sql"));
            }
        },
        REMOVE {
            @Override
            void apply(Path scripts) throws IOException {
                Files.delete(scripts.resolve("V1__one.sql"));
            }
        },
        REMOVE_BELOW {
            @Override
            void apply(Path scripts) throws IOException {
                Files.delete(scripts.resolve("below/V3__three.sql"));
            }
        },
        RENAME_THE_FOLDER {
            @Override
            void apply(Path scripts) throws IOException {
                Files.move(scripts, scripts.resolveSibling("elsewhere"));
            }
        };

        abstract void apply(Path scripts) throws IOException;
    }

    /** Folders and files that were changed within two seconds are read again each time, so this waits that long. */
    @Test
    void a_stamp_of_old_files_detects_each_change_by_their_attributes() throws IOException {
        Map<Change, Folder> folders = new EnumMap<>(Change.class);
        for (Change change : Change.values()) {
            Path parent = directory.resolve(change.name());
            Path linked = Files.createDirectories(parent.resolve("linked"));
            Folder folder = Folder.withTwoScripts(parent);
            Files.createDirectory(folder.path().resolve("below"));
            folder.script("below/V3__three.sql", "SELECT 3;");
            Files.createSymbolicLink(folder.path().resolve("link"), linked);
            folders.put(change, folder);
        }
        await().until(() -> folders.values().stream()
                .map(Folder::location)
                .map(ScriptFilesTest::at)
                .allMatch(files -> files.isCurrent(files.stamp())));

        for (Change change : Change.values()) {
            ScriptFiles files = at(folders.get(change).location());
            ScriptStamp stamp = files.stamp();
            assertThat(files.isCurrent(stamp)).as(change.name()).isTrue();

            change.apply(folders.get(change).path());

            assertThat(files.isCurrent(stamp)).as(change.name()).isFalse();
            assertThat(files.stamp().text()).as(change.name()).isNotEqualTo(stamp.text());
        }
    }

    @Test
    void attributes_do_not_suffice_for_new_missing_or_linked_files() throws Exception {
        Path old = Files.createDirectories(directory.resolve("old"));
        await().until(() -> {
            ScriptFiles files = at("filesystem:" + old);
            return files.isCurrent(files.stamp());
        });
        assertUnsettled("filesystem:" + old, "filesystem:" + directory.resolve("missing"));
        assertUnsettled(scripts.script("V9__new.sql", "SELECT 9;").location());
        Files.createSymbolicLink(scripts.path().resolve("V8__broken_link.sql"), directory.resolve("missing"));
        assertUnsettled(scripts.location());
        try (FileSystem archive = FileSystems.newFileSystem(jar("V1__in_jar.sql", "SELECT 1;"))) {
            List<Path> withoutTimes = List.of(archive.getPath("/"));
            assertThat(ScriptStamp.of(withoutTimes).isCurrent(withoutTimes)).isFalse();
        }
    }

    private static void assertUnsettled(String... locations) {
        ScriptFiles files = new ScriptFiles(new FluentConfiguration().locations(locations));
        assertThat(files.isCurrent(files.stamp())).isFalse();
    }

    private static ScriptFiles at(String location) {
        return new ScriptFiles(new FluentConfiguration().locations(location));
    }

    /** Another archive or folder of the same name may appear on a class path. */
    @Test
    void a_location_that_appears_later_is_detected() throws Exception {
        List<URL> found = new ArrayList<>();
        ClassLoader loader = new ClassLoader(null) {
            @Override
            protected Enumeration<URL> findResources(String name) {
                return Collections.enumeration(found);
            }
        };
        ScriptFiles files = new ScriptFiles(new FluentConfiguration(loader).locations("classpath:scripts"));
        ScriptStamp without = files.stamp();
        assertThat(files.isCurrent(without)).isTrue();

        found.add(scripts.path().toUri().toURL());

        assertThat(files.isCurrent(without)).isFalse();
        assertThat(files.stamp().text()).isNotEqualTo(without.text());
    }

    @Test
    void folders_of_the_classpath_have_a_stamp() {
        assertThat(new ScriptFiles(new FluentConfiguration().locations("classpath:db/migration"))
                        .stamp()
                        .text())
                .contains("V1__plans.sql", "V2__first_plan.sql");
    }

    @Test
    void archives_of_the_classpath_have_a_stamp() throws Exception {
        Path jar = jar("V1__in_jar.sql", "CREATE TABLE in_jar(name TEXT);");
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
            FluentConfiguration configuration = new FluentConfiguration(loader).locations("classpath:injar");

            assertThat(new ScriptFiles(configuration).stamp().text()).contains("scripts.jar");
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

        assertThat(new ScriptFiles(new FluentConfiguration(loader).locations("classpath:java/lang"))
                        .stamp()
                        .text())
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

        assertThat(new ScriptFiles(new FluentConfiguration(loader).locations("classpath:injar"))
                        .stamp()
                        .text())
                .isEmpty();
        assertThat(new ScriptFiles(new FluentConfiguration(loader).locations("classpath:injar")).besideScripts())
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
        assertThat(new ScriptFiles(configuration).besideScripts()).isEmpty();

        scripts.script("Undo.sql", "SELECT 1;");
        assertThat(new ScriptFiles(configuration).besideScripts()).startsWith("Undo.sql");
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

        assertThat(new ScriptFiles(configuration).besideScripts()).contains("afterMigrate.sql");
        assertThat(new ScriptFiles(configuration).stamp().text()).contains("V1__one.sql");
    }

    @Test
    void the_order_of_files_and_locations_does_not_change_the_stamp() throws IOException {
        scripts.script("beforeMigrate.sql", "SELECT 1;");
        Folder more = new Folder(Files.createDirectories(directory.resolve("more")))
                .script("V3__three.sql", "SELECT 3;")
                .script("afterMigrate.sql", "SELECT 2;");
        ScriptFiles one = files(scripts, more);
        ScriptFiles other = files(more, scripts);

        assertThat(one.besideScripts()).isEqualTo(other.besideScripts());
        assertThat(one.stamp().text()).isEqualTo(other.stamp().text());
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
