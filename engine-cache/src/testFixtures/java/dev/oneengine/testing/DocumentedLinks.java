package dev.oneengine.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Checks the links and images of a document that lead to files of the project. Stateless and thread-safe. */
public final class DocumentedLinks {
    private static final Pattern LINK = Pattern.compile("(?:]\\(|src=\"|srcset=\")([^)#\"]*)(?:#([^)\"]*))?[)\"]");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern WITH_SCHEME = Pattern.compile("[a-z]+:.*");

    private DocumentedLinks() {}

    /**
     * Finds dead links: to files that do not exist, and to headings that a Markdown file does not have.
     *
     * @param document a Markdown file
     * @return the targets; empty if all links are good
     */
    public static List<String> dead(Path document) {
        return LINK.matcher(DocumentedCode.read(document))
                .results()
                .filter(link -> !WITH_SCHEME.matcher(link.group(1)).matches())
                .filter(link -> !leadsSomewhere(document, link))
                .map(link -> link.group(2) == null ? link.group(1) : link.group(1) + "#" + link.group(2))
                .toList();
    }

    private static boolean leadsSomewhere(Path document, MatchResult link) {
        Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
        return Files.exists(target) && (link.group(2) == null || anchors(target).contains(link.group(2)));
    }

    /** Returns the anchors that GitHub gives to the headings of a file. */
    private static List<String> anchors(Path document) {
        return HEADING.matcher(DocumentedCode.read(document))
                .results()
                .map((MatchResult heading) -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }
}
