package dev.oneengine.migration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileVisitResult;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.flywaydb.core.api.Location;
import org.flywaydb.core.api.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/** The files at the locations of the scripts. Detects changed files faster than Flyway, which parses them. Immutable and thread-safe. */
final class ScriptFiles {
    /** The suffix of a file that configures the script of the same name. */
    private static final String SCRIPT_CONFIGURATION = ".conf";

    private final Configuration configuration;

    /** Flyway parses the locations in each call; {@code null} if only Flyway knows the files. */
    private final Location @Nullable [] locations;

    ScriptFiles(Configuration configuration) {
        this.configuration = configuration;
        this.locations = configuration.getResourceProvider() != null || configuration.getResolvers().length > 0
                ? null
                : Stream.of(configuration.getLocations(), configuration.getCallbackLocations())
                        .flatMap(Arrays::stream)
                        .toArray(Location[]::new);
    }

    /**
     * Reads the state of all files.
     *
     * @return {@code null} if only reading all scripts can detect a change
     * @throws UncheckedIOException if a file cannot be read
     */
    @Nullable ScriptStamp stamp() {
        try {
            List<Path> roots = roots();
            return roots == null ? null : ScriptStamp.of(roots);
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns whether no file has changed since a stamp; {@code false} also if only another stamp can tell. */
    boolean isCurrent(ScriptStamp stamp) {
        try {
            return stamp.isCurrent(roots());
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Describes the callbacks and the configurations of scripts by name and content, because Flyway does not list them. Those in
     * archives are part of the program and are left out.
     *
     * @return equal texts for equal files at any location
     * @throws UncheckedIOException if a file cannot be read
     */
    String besideScripts() {
        List<String> lines = new ArrayList<>();
        try {
            List<Path> roots = roots();
            for (Path root : roots == null ? List.<Path>of() : roots) {
                FileTree.walk(root, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (attributes.isRegularFile()
                                && isBesideScripts(file.getFileName().toString())) {
                            lines.add(root.relativize(file) + " " + FileTree.content(file));
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Collections.sort(lines);
        return String.join("\n", lines);
    }

    private boolean isBesideScripts(String name) {
        return Arrays.stream(configuration.getSqlMigrationSuffixes())
                .anyMatch(suffix ->
                        endsWith(name, suffix + SCRIPT_CONFIGURATION) || (endsWith(name, suffix) && isCallback(name)));
    }

    /** Flyway ignores the case of a suffix. */
    private static boolean endsWith(String name, String suffix) {
        return name.toLowerCase(Locale.ROOT).endsWith(suffix.toLowerCase(Locale.ROOT));
    }

    private boolean isCallback(String name) {
        return !name.startsWith(configuration.getSqlMigrationPrefix())
                && !name.startsWith(configuration.getRepeatableSqlMigrationPrefix())
                && !FlywayExtensions.isUndo(name);
    }

    /** Returns the folders and archives at the locations, which may be missing; {@code null} if only Flyway knows the files. */
    private @Nullable List<Path> roots() throws IOException {
        if (locations == null) {
            return null;
        }
        try {
            List<Path> roots = new ArrayList<>();
            for (Location location : locations) {
                if (location.getPrefix().equals("filesystem:")) {
                    roots.add(Path.of(location.getRootPath()));
                } else if (location.getPrefix().equals("classpath:")) {
                    ClassLoader loader = configuration.getClassLoader();
                    for (URL url : Collections.list(loader.getResources(location.getRootPath()))) {
                        resource(url, roots);
                    }
                } else {
                    return null;
                }
            }
            return roots;
        } catch (URISyntaxException e) {
            // Flyway reports the wrong location.
            return null;
        }
    }

    private static void resource(URL url, List<Path> roots) throws IOException, URISyntaxException {
        if (url.getProtocol().equals("file")) {
            roots.add(Path.of(url.toURI()));
        } else if (url.openConnection() instanceof JarURLConnection jar) {
            URI archive = jar.getJarFileURL().toURI();
            if ("file".equals(archive.getScheme())) { // an archive within another archive has no path
                roots.add(Path.of(archive));
            }
        }
        // All other resources are part of the running program, like its classes.
    }
}
