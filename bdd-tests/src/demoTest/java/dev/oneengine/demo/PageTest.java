package dev.oneengine.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneengine.demo.Contender.Conflicts;
import dev.oneengine.demo.Event.Kind;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

@Timeout(60)
class PageTest {
    private static final String NASTY = "<script>\"a\" & 'b'</script> ]]> &lt;";

    private static final RaceResult RACE = race(
            new Event(Lane.A, Kind.CHECK, 0, "no engine in the map"),
            new Event(Lane.A, Kind.CREATE, 1, "engine 1 ..."),
            new Event(Lane.B, Kind.WAIT, 0, "WAITING"),
            new Event(Lane.A, Kind.CREATED, 1, "engine 1 is there"),
            new Event(Lane.A, Kind.WRITE, 1, "engine 1"),
            new Event(Lane.B, Kind.READ, 1, "engine 1"),
            new Event(Lane.B, Kind.FAILED, 1, NASTY + " and a long text of many words that needs many lines"));

    private static RaceResult race(Event... events) {
        return new RaceResult(
                NASTY,
                "the map",
                List.of(events),
                1,
                new RaceResult.Outcome(1, 1, null),
                new RaceResult.Outcome(1, -1, NASTY));
    }

    private static String page() {
        Contention contention =
                new Contention(NASTY, Conflicts.PERHAPS, 3, Map.of(NASTY, 1L), Duration.ofMillis(5), 1, 3, 3);
        Contention other = new Contention("other", Conflicts.NEVER, 5, Map.of(), Duration.ofNanos(1), 1, 5, 5);
        Page page = new Page(NASTY, NASTY);
        page.races(RACE, NASTY, RACE, NASTY);
        page.contention(List.of(contention, other), NASTY, List.of(new Check(NASTY, false)));
        page.next(List.of(new Step(NASTY, NASTY)));
        return page.markup();
    }

    private static Document parse(String markup) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(markup)));
    }

    private static List<Element> elements(Document document, String name) {
        NodeList nodes = document.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    private static int number(Element element, String attribute) {
        return Integer.parseInt(element.getAttribute(attribute));
    }

    @Test
    void the_page_is_well_formed_and_escapes_all_text() throws Exception {
        Document page = parse(page());

        assertThat(elements(page, "script")).isEmpty();
        assertThat(elements(page, "h1").get(0).getTextContent()).isEqualTo(NASTY);
        assertThat(elements(page, "th")).extracting(Element::getTextContent).contains(NASTY);
        assertThat(elements(page, "desc").get(0).getTextContent())
                .startsWith("1. thread A, check: no engine in the map; 2. thread A, create: engine 1 ...; ")
                .contains("7. thread B, failed: " + NASTY);
    }

    @Test
    void the_page_loads_no_external_resource() {
        assertThat(page())
                .doesNotContain("http")
                .doesNotContain("//")
                .doesNotContain("src=")
                .doesNotContain("href=")
                .doesNotContain("url(")
                .doesNotContain("@import")
                .doesNotContain("<script");
    }

    @Test
    void the_page_supports_light_and_dark_mode() {
        assertThat(page()).contains("prefers-color-scheme: dark").contains("color-scheme: light dark");
    }

    @Test
    void every_drawing_has_a_title_and_a_description() throws Exception {
        Document page = parse(page());
        List<String> ids = new ArrayList<>();
        for (String name : List.of("title", "desc")) {
            elements(page, name).stream()
                    .map(element -> element.getAttribute("id"))
                    .filter(id -> !id.isEmpty())
                    .forEach(ids::add);
        }

        List<Element> drawings = elements(page, "svg");
        assertThat(drawings).hasSize(4).allSatisfy(svg -> {
            assertThat(svg.getAttribute("role")).isEqualTo("img");
            assertThat(ids).contains(svg.getAttribute("aria-labelledby").split(" ", -1));
        });
    }

    @Test
    void texts_of_a_timeline_do_not_overlap() throws Exception {
        Document drawing = parse(new Timeline(RACE, "race", 0).markup());

        int bottom = 0;
        for (Element text : elements(drawing, "text")) {
            String type = text.getAttribute("class");
            if (type.startsWith("word") || type.startsWith("detail")) {
                assertThat(number(text, "y")).isGreaterThanOrEqualTo(bottom + 16);
                assertThat(text.getTextContent()).hasSizeLessThanOrEqualTo(24);
                bottom = number(text, "y");
            }
        }
        String height = elements(drawing, "svg").get(0).getAttribute("viewBox").split(" ", -1)[3];
        assertThat(bottom).isPositive().isLessThan(Integer.parseInt(height));
    }

    @Test
    void the_middle_of_a_timeline_shows_the_contents_of_the_map() throws Exception {
        Document drawing = parse(new Timeline(RACE, "race", 0).markup());

        assertThat(elements(drawing, "text"))
                .filteredOn(text -> text.getAttribute("class").startsWith("holds"))
                .extracting(Element::getTextContent)
                .containsExactly("empty", "engine 1");
    }

    @Test
    void creating_and_waiting_are_drawn_as_bars_and_using_as_a_line() throws Exception {
        Document drawing = parse(new Timeline(RACE, "race", 0).markup());

        assertThat(elements(drawing, "rect"))
                .extracting(rect -> rect.getAttribute("class"))
                .contains("bar create engine-1", "bar wait engine-1");
        assertThat(elements(drawing, "line"))
                .extracting(line -> line.getAttribute("class"))
                .contains("use engine-1");
    }

    @Test
    void the_length_of_a_bar_is_proportional_to_its_value() throws Exception {
        Contention half = new Contention("half", Conflicts.PERHAPS, 1, Map.of("x", 1L), Duration.ofMillis(4), 1, 1, 1);
        Contention none = new Contention("none", Conflicts.PERHAPS, 1, Map.of(), Duration.ofMillis(1), 1, 1, 1);
        Contention rare =
                new Contention("rare", Conflicts.PERHAPS, 99_999, Map.of("x", 1L), Duration.ofNanos(1), 1, 1, 1);
        List<Contention> results = List.of(half, none, rare);

        assertThat(widths(Chart.outcomes(results), "lost")).containsExactly(280, 4);
        assertThat(widths(Chart.longest(results), "time")).containsExactly(140);
        assertThat(widths(Chart.longest(results), "lost")).containsExactly(560, 4);
    }

    private static List<Integer> widths(String drawing, String type) throws Exception {
        return elements(parse(drawing), "rect").stream()
                .filter(rect -> rect.getAttribute("class").equals(type))
                .map(rect -> number(rect, "width"))
                .toList();
    }
}
