package dev.oneengine.migration;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.flywaydb.core.api.Location;
import org.flywaydb.core.api.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * What lies at the locations of the scripts, without reading it: enough to tell whether anything has changed. Stateless and
 * thread-safe.
 */
final class ScriptFiles {
    /** A file that was changed less than this ago may be changed again without another time: FAT counts in two seconds. */
    private static final Duration YOUNG = Duration.ofSeconds(2);

    private ScriptFiles() {}

    /**
     * Describes all files.
     *
     * @return equal texts for equal scripts; {@code null} where nothing short of reading them all can tell
     */
    static @Nullable String stamp(Configuration configuration) {
        if (configuration.getResourceProvider() != null || configuration.getResolvers().length > 0) {
            return null;
        }
        try {
            List<String> lines = new ArrayList<>();
            for (Location location : configuration.getLocations()) {
                if (location.getPrefix().equals("filesystem:")) {
                    walk(Path.of(location.getRootPath()), lines);
                } else if (location.getPrefix().equals("classpath:")) {
                    ClassLoader loader = configuration.getClassLoader();
                    for (URL url : Collections.list(loader.getResources(location.getRootPath()))) {
                        resource(url, lines);
                    }
                } else {
                    return null;
                }
            }
            Collections.sort(lines);
            return String.join("\n", lines);
        } catch (IOException | URISyntaxException e) {
            // Flyway is to say what is wrong with a location.
            return null;
        }
    }

    private static void resource(URL url, List<String> lines) throws IOException, URISyntaxException {
        if (url.getProtocol().equals("file")) {
            walk(Path.of(url.toURI()), lines);
        } else if (url.openConnection() instanceof JarURLConnection jar) {
            URI archive = jar.getJarFileURL().toURI();
            walk(Path.of(archive), lines);
        }
        // All else is part of the running program, like the classes themselves.
    }

    private static void walk(Path root, List<String> lines) throws IOException {
        Instant young = Instant.now().minus(YOUNG);
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Instant changed = attributes.lastModifiedTime().toInstant();
                lines.add(file + " " + attributes.size() + " " + attributes.fileKey() + " "
                        + (changed.isBefore(young) ? changed : sha256(Files.readAllBytes(file))));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new LinkageError("Every Java platform has SHA-256", e);
        }
    }
}
