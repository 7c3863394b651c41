package dev.oneengine.demo;

import java.util.List;
import java.util.Locale;

/** The page of a run: a single file, and well-formed XML. Not thread-safe; use one instance per page. */
final class Page {
    private final StringBuilder html = new StringBuilder();

    /** Begins the page with its title and lead. */
    Page(String title, String lead) {
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
                .append("<meta name=\"color-scheme\" content=\"light dark\"/>\n")
                .append("<title>" + Svg.escape(title) + "</title>\n<style>\n" + StyleSheet.page()
                        + "</style>\n</head>\n<body>\n")
                .append("<header>\n<h1>" + Svg.escape(title) + "</h1>\n")
                .append("<p class=\"lead\">" + Svg.escape(lead) + "</p>\n</header>\n<main>\n");
    }

    /** Adds both races, side by side. */
    void races(RaceResult race, String raceText, RaceResult fixed, String fixedText) {
        html.append("<p class=\"legend\"><span class=\"engine-1\">engine 1</span> ")
                .append("<span class=\"engine-2\">engine 2</span> <span class=\"waiting\">waiting</span> ")
                .append("Time runs downwards, not to scale: one row for each event, in the order of the reports.</p>\n")
                .append("<div class=\"pair races\">\n");
        int height = Math.max(Timeline.height(race), Timeline.height(fixed));
        race(race, "race", raceText, race.showsTheBug(), height);
        race(fixed, "fixed", fixedText, fixed.showsTheFix(), height);
        html.append("</div>\n");
    }

    private void race(RaceResult race, String id, String explanation, List<Check> checks, int height) {
        html.append("<section class=\"card\">\n<h2>" + Svg.escape(race.title()) + "</h2>\n");
        paragraph(explanation);
        html.append(new Timeline(race, id, height).markup());
        String colour = race.isOneDatabase() ? "kept" : "gone";
        html.append("<p class=\"verdict " + colour + "\">" + Svg.escape(race.verdict()) + "</p>\n");
        checks(checks);
        html.append("</section>\n");
    }

    /** Adds the results of the contenders. */
    void contention(List<Contention> results, String explanation, List<Check> checks) {
        html.append("<section class=\"card\">\n<h2>" + ContentionDemo.WRITERS + " writers at once</h2>\n");
        paragraph(explanation);
        html.append("<div class=\"pair\">\n");
        figure(
                "Transactions: <span class=\"kept\">committed</span>, <span class=\"gone\">failed</span>",
                Chart.outcomes(results));
        figure(
                "Longest time without a commit, of any thread; <span class=\"gone\">with failures</span>",
                Chart.longest(results));
        html.append("</div>\n");
        table(results);
        checks(checks);
        html.append("</section>\n");
    }

    private void figure(String caption, String drawing) {
        html.append("<figure><figcaption>" + caption + "</figcaption>\n" + drawing + "</figure>\n");
    }

    private void table(List<Contention> results) {
        html.append("<table>\n<thead><tr>");
        for (String column :
                List.of("Contender", "Committed", "Failed", "Commits per second", "Rows at the end", "Failed with")) {
            html.append("<th scope=\"col\">" + column + "</th>");
        }
        html.append("</tr></thead>\n<tbody>\n");
        for (Contention result : results) {
            html.append("<tr><th scope=\"row\">" + Svg.escape(result.name()) + "</th>");
            cell("Committed", number(result.committed()));
            cell("Failed", number(result.failed()));
            cell("Commits per second", number(result.perSecond()));
            cell("Rows at the end", number(result.rows()));
            cell("Failed with", result.failed() == 0 ? "nothing" : result.reasons());
            html.append("</tr>\n");
        }
        html.append("</tbody>\n</table>\n");
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private void cell(String label, String text) {
        html.append("<td data-label=\"" + Svg.escape(label) + "\">" + Svg.escape(text) + "</td>");
    }

    private void checks(List<Check> checks) {
        html.append("<ul class=\"checks\">\n");
        for (Check check : checks) {
            String type = check.isGoodNews() ? "met" : check.met() ? "bad" : "unmet";
            html.append("<li class=\"" + type + "\"><b>" + check.mark() + "</b> <span>" + Svg.escape(check.text())
                    + "</span></li>\n");
        }
        html.append("</ul>\n");
    }

    private void paragraph(String text) {
        html.append("<p>" + Svg.escape(text) + "</p>\n");
    }

    /** Adds the next steps for the reader. */
    void next(List<Step> steps) {
        html.append("<section class=\"card next\">\n<h2>Next</h2>\n<ul>\n");
        for (Step step : steps) {
            html.append(
                    "<li><b>" + Svg.escape(step.title()) + "</b> <span>" + Svg.escape(step.text()) + "</span></li>\n");
        }
        html.append("</ul>\n</section>\n");
    }

    /** Returns the whole page. */
    String markup() {
        String machine = String.format(
                Locale.ROOT,
                "Measured on %d processors with Java %s. ./gradlew demo writes this page again.",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.version"));
        return html + "</main>\n<footer><p>" + Svg.escape(machine) + "</p></footer>\n</body>\n</html>\n";
    }
}
