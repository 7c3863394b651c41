package dev.oneengine.conventions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page with a link to each report of the build. Stateless and thread-safe. */
final class ReportIndex {
    private static final Pattern REPORT = Pattern.compile(
            "([^/]+/)?build/(demo|docs/javadoc|reports/jcstress|reports/mutationTest|"
                    + "reports/apiComparison|reports/(tests|jacoco)/[^/]+(/html)?)/index\\.html|.*/reports/cucumber/(one-engine|driver)\\.html");
    private static final int DEPTH = 7;

    private ReportIndex() {}

    /**
     * Writes the page.
     *
     * @param root the folder of the root project
     * @return the page
     */
    static Path write(Path root) throws IOException {
        List<Path> reports;
        try (Stream<Path> builds = Stream.concat(Stream.of(root), Files.list(root))) {
            reports = builds.map(folder -> folder.resolve("build"))
                    .filter(Files::isDirectory)
                    .flatMap(ReportIndex::files)
                    .map(root::relativize)
                    .filter(report -> REPORT.matcher(url(report)).matches())
                    .sorted()
                    .toList();
        }
        StringBuilder page = new StringBuilder("<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\">"
                + "<title>Reports</title><style>body{font:16px sans-serif;margin:2em}</style><h1>Reports</h1>");
        String module = "";
        for (Path report : reports) {
            String folder = report.startsWith("build")
                    ? "all modules"
                    : report.getName(0).toString();
            if (!folder.equals(module)) {
                page.append("<h2>").append(folder).append("</h2>");
                module = folder;
            }
            page.append("<p><a href=\"../../%s\">%s</a>\n".formatted(url(report), name(report)));
        }
        Path index = root.resolve("build/reports/index.html");
        Files.createDirectories(index.getParent());
        return Files.writeString(index, page);
    }

    /** The last two folders distinguish reports, such as {@code tests/toolTest}. Reports of Cucumber have another name. */
    private static String name(Path report) {
        String name = url(report).replaceFirst("^.*?build/", "").replaceFirst("^reports/", "");
        return name.replaceFirst("(/html)?/index\\.html$", "").replaceFirst("\\.html$", "");
    }

    private static String url(Path report) {
        return report.toString().replace('\\', '/');
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.find(
                folder, DEPTH - 1, (file, attributes) -> file.toString().endsWith(".html"))) {
            return files.toList().stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }
}
