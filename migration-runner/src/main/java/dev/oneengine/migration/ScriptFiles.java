package dev.oneengine.migration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.api.Location;
import org.flywaydb.core.api.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/** The files at the locations of the scripts. Detects a change without Flyway, which would parse them. Immutable and thread-safe. */
final class ScriptFiles {
    /** The resolution of time stamps on FAT. A younger file may change again without a new time stamp. */
    private static final Duration YOUNG = Duration.ofSeconds(2);

    /** Scripts and their folders may be links, as in volumes of Kubernetes. */
    private static final Set<FileVisitOption> FOLLOWING_LINKS = EnumSet.of(FileVisitOption.FOLLOW_LINKS);

    private final Configuration configuration;

    /** Flyway parses the locations in each call; {@code null} if only Flyway knows the files. */
    private final Location @Nullable [] locations;

    ScriptFiles(Configuration configuration) {
        this.configuration = configuration;
        this.locations = configuration.getResourceProvider() != null || configuration.getResolvers().length > 0
                ? null
                : configuration.getLocations();
    }

    /** A file below one of the locations. */
    private record Found(Path root, Path file, BasicFileAttributes attributes) {}

    /**
     * Describes all files by name, size and time.
     *
     * @return equal texts for unchanged files; {@code null} if only reading all scripts can detect a change
     * @throws UncheckedIOException if a file cannot be read
     */
    @Nullable String stamp() {
        List<Found> files;
        try {
            files = find();
        } catch (IOException e) {
            return null;
        }
        if (files == null) {
            return null;
        }
        List<String> lines = new ArrayList<>();
        long young = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - YOUNG.toNanos();
        for (Found found : files) {
            long changed = found.attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS);
            lines.add(found.file + " " + found.attributes.size() + " " + found.attributes.fileKey() + " "
                    + (changed < young ? changed : content(found.file)));
        }
        Collections.sort(lines);
        return String.join("\n", lines);
    }

    /**
     * Describes the callbacks beside the scripts by name and content, because Flyway does not list them. Callbacks in archives are
     * part of the program and are left out.
     *
     * @return equal texts for equal callbacks at any location
     * @throws UncheckedIOException if a file cannot be read
     */
    String callbacks() {
        List<Found> files;
        try {
            files = find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> lines = new ArrayList<>();
        for (Found found : files == null ? List.<Found>of() : files) {
            if (isCallback(found.file.getFileName().toString())) {
                lines.add(found.root.relativize(found.file) + " " + content(found.file));
            }
        }
        Collections.sort(lines);
        return String.join("\n", lines);
    }

    private boolean isCallback(String name) {
        return Arrays.stream(configuration.getSqlMigrationSuffixes()).anyMatch(name::endsWith)
                && !name.startsWith(configuration.getSqlMigrationPrefix())
                && !name.startsWith(configuration.getRepeatableSqlMigrationPrefix())
                && !FlywayExtensions.isUndo(name);
    }

    private @Nullable List<Found> find() throws IOException {
        if (locations == null) {
            return null;
        }
        try {
            List<Found> files = new ArrayList<>();
            for (Location location : locations) {
                if (location.getPrefix().equals("filesystem:")) {
                    walk(Path.of(location.getRootPath()), files);
                } else if (location.getPrefix().equals("classpath:")) {
                    ClassLoader loader = configuration.getClassLoader();
                    for (URL url : Collections.list(loader.getResources(location.getRootPath()))) {
                        resource(url, files);
                    }
                } else {
                    return null;
                }
            }
            return files;
        } catch (URISyntaxException e) {
            // Flyway reports the wrong location.
            return null;
        }
    }

    private static void resource(URL url, List<Found> files) throws IOException, URISyntaxException {
        if (url.getProtocol().equals("file")) {
            walk(Path.of(url.toURI()), files);
        } else if (url.openConnection() instanceof JarURLConnection jar) {
            URI archive = jar.getJarFileURL().toURI();
            if ("file".equals(archive.getScheme())) { // an archive within another archive has no path
                walk(Path.of(archive), files);
            }
        }
        // All other resources are part of the running program, like its classes.
    }

    private static void walk(Path root, List<Found> files) throws IOException {
        if (Files.notExists(root)) {
            return; // Flyway reports it if it is an error
        }
        Files.walkFileTree(root, FOLLOWING_LINKS, Integer.MAX_VALUE, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(new Found(root, file, attributes));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static String content(Path file) {
        try {
            return sha256(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            return "gone"; // or a broken link, such as a lock file of Emacs
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new LinkageError("Every Java platform has SHA-256", e);
        }
    }
}
