package dev.oneengine.acceptance.report;

import dev.oneengine.acceptance.AcceptanceKit;
import io.cucumber.plugin.ConcurrentEventListener;
import io.cucumber.plugin.event.EventPublisher;
import io.cucumber.plugin.event.TestCaseFinished;
import io.cucumber.plugin.event.TestRunFinished;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * A plugin of Cucumber that writes {@code results.json} and {@code junit.xml} into a folder: each scenario with its ID.
 * Cucumber's own plugins do not write the ID to both formats.
 *
 * <p>Thread-safe.
 */
public final class Results implements ConcurrentEventListener {
    private static final String ID = "@[A-Z]{2}-\\d{2}";

    private final Path folder;
    private final ConcurrentLinkedQueue<Result> results = new ConcurrentLinkedQueue<>();

    /** The result of a scenario, or of an example of an outline. */
    private record Result(String id, String title, String status, double seconds, String message) {}

    /**
     * Called by Cucumber.
     *
     * @param folder the folder; in the plugin option, it follows the name of this class and a colon
     */
    public Results(File folder) {
        this.folder = folder.toPath();
    }

    @Override
    public void setEventPublisher(EventPublisher publisher) {
        publisher.registerHandlerFor(TestCaseFinished.class, this::add);
        publisher.registerHandlerFor(TestRunFinished.class, finished -> write());
    }

    private void add(TestCaseFinished finished) {
        Throwable error = finished.getResult().getError();
        results.add(new Result(
                finished.getTestCase().getTags().stream()
                        .filter(tag -> tag.matches(ID))
                        .map(tag -> tag.substring(1))
                        .findFirst()
                        .orElse(""),
                finished.getTestCase().getName(),
                finished.getResult().getStatus().name().toLowerCase(Locale.ROOT),
                finished.getResult().getDuration().toMillis() / 1000.0,
                error == null ? "" : String.valueOf(error.getMessage())));
    }

    private void write() {
        List<Result> sorted = results.stream()
                .sorted(Comparator.comparing(Result::id).thenComparing(Result::title))
                .toList();
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("results.json"), json(sorted));
            Files.writeString(folder.resolve("junit.xml"), xml(sorted));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write the results to " + folder, e);
        }
    }

    private static String json(List<Result> results) {
        return results.stream()
                .map(result ->
                        "    {\"id\": " + quoted(result.id) + ", \"title\": " + quoted(result.title) + ", \"status\": "
                                + quoted(result.status) + ", \"seconds\": " + result.seconds + ", \"message\": "
                                + quoted(result.message) + "}")
                .collect(Collectors.joining(
                        ",\n",
                        "{\n  \"suite\": " + quoted("One Engine") + ",\n  \"version\": "
                                + quoted(AcceptanceKit.SUITE_VERSION) + ",\n  \"scenarios\": [\n",
                        "\n  ]\n}\n"));
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.chars().forEach(character -> {
            if (character == '"' || character == '\\') {
                json.append('\\').append((char) character);
            } else if (character < ' ') {
                json.append(String.format("\\u%04x", character));
            } else {
                json.append((char) character);
            }
        });
        return json.append('"').toString();
    }

    private static String xml(List<Result> results) {
        long failed = results.stream().filter(Results::hasFailed).count();
        long skipped = results.stream().filter(Results::isSkipped).count();
        return results.stream()
                .map(Results::xml)
                .collect(Collectors.joining(
                        "",
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"One Engine "
                                + AcceptanceKit.SUITE_VERSION
                                + "\" tests=\"" + results.size() + "\" failures=\"" + failed
                                + "\" errors=\"0\" skipped=\""
                                + skipped + "\">\n",
                        "</testsuite>\n"));
    }

    private static String xml(Result result) {
        String name = escaped((result.id + " " + result.title).strip());
        String outcome = hasFailed(result)
                ? "<failure message=\""
                        + escaped(result.message.lines().findFirst().orElse("")) + "\">" + escaped(result.message)
                        + "</failure>"
                : isSkipped(result) ? "<skipped/>" : "";
        return "  <testcase classname=\"One Engine\" name=\"" + name + "\" time=\"" + result.seconds + "\">" + outcome
                + "</testcase>\n";
    }

    private static boolean isSkipped(Result result) {
        return result.status.equals("skipped");
    }

    private static boolean hasFailed(Result result) {
        return !result.status.equals("passed") && !isSkipped(result);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replaceAll("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]", "?");
    }
}
