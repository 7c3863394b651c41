package dev.oneengine.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Keeps the links in a document true that lead to other files of the project. Stateless and thread-safe. */
public final class DocumentedLinks {
    private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)(#[^)]*)?\\)");
    private static final Pattern WITH_SCHEME = Pattern.compile("[a-z]+:.*");

    private DocumentedLinks() {}

    /**
     * Finds links that lead nowhere.
     *
     * @param document a Markdown file
     * @return what they lead to; empty when all is well
     */
    public static List<String> dead(Path document) {
        return LINK.matcher(DocumentedCode.read(document))
                .results()
                .map((MatchResult link) -> link.group(1))
                .filter(target -> !WITH_SCHEME.matcher(target).matches())
                .filter(target -> !Files.exists(document.resolveSibling(target)))
                .toList();
    }
}
