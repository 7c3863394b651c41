package dev.oneengine.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.InputSource;

@Timeout(60)
class RaceImagesTest {
    private static final Path IMAGES = Path.of("../docs/images");

    @Test
    void the_committed_images_match_the_code(@TempDir Path folder) throws Exception {
        RaceImages.main(new String[] {folder.toString()});

        for (String colours : RaceImages.COLOURS) {
            String name = RaceImages.fileName(colours);
            assertThat(IMAGES.resolve(name))
                    .as("run ./gradlew raceImages to update the image")
                    .hasSameTextualContentAs(folder.resolve(name));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void an_image_is_well_formed_and_has_fixed_colours(String colours) throws Exception {
        String markup = RaceImages.markup(colours);

        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(markup)));
        assertThat(markup).doesNotContain("var(").doesNotContain("url(");
    }

    @Test
    void the_images_show_what_the_threads_do() throws Exception {
        assertSameSteps(RaceImages.bug(), RacySubject::new);
        assertSameSteps(RaceImages.fix(), LibrarySubject::new);
    }

    private static void assertSameSteps(RaceResult drawn, Function<Recorder, Subject> made) throws Exception {
        Recorder recorder = new Recorder();
        try (Subject subject = made.apply(recorder)) {
            RaceResult seen = new RaceDemo(subject, recorder).run();
            for (Lane lane : Lane.values()) {
                assertThat(steps(seen, lane)).isEqualTo(steps(drawn, lane));
            }
            assertThat(seen.verdict()).isEqualTo(drawn.verdict());
        }
    }

    private static List<Event> steps(RaceResult race, Lane lane) {
        return race.events().stream().filter(event -> event.lane() == lane).toList();
    }

    @Test
    void both_drawings_have_the_same_height() {
        int height = Timeline.height(RaceImages.bug());
        assertThat(Timeline.height(RaceImages.fix())).isLessThan(height);
        assertThat(new Timeline(RaceImages.fix(), "fix", height).markup())
                .contains("viewBox=\"0 0 " + Timeline.WIDTH + " " + height + "\"");
    }
}
