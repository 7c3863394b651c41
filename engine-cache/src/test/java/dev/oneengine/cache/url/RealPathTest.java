package dev.oneengine.cache.url;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RealPathTest {
    private Path home;

    @BeforeEach
    void home(@TempDir Path folder) throws IOException {
        home = folder.toRealPath();
    }

    @Test
    void a_relative_path_is_resolved_against_the_working_directory() throws IOException {
        assertThat(RealPath.of(Path.of("app.db")))
                .isEqualTo(Path.of("").toRealPath().resolve("app.db"));
    }

    @Test
    void dots_are_resolved_whether_or_not_the_file_exists() throws IOException {
        Path plain = home.resolve("app.db");
        Path dotted = home.resolve("./a/../app.db");
        assertThat(RealPath.of(dotted)).isEqualTo(plain);
        Files.createFile(plain);
        assertThat(RealPath.of(home.resolve("./app.db"))).isEqualTo(plain);
    }

    @Test
    void missing_folders_are_kept_as_written() {
        assertThat(RealPath.of(home.resolve("a/b/app.db"))).isEqualTo(home.resolve("a/b/app.db"));
    }

    @Test
    void a_link_resolves_to_its_target() throws IOException {
        Path file = Files.createFile(home.resolve("app.db"));
        Path link = Files.createSymbolicLink(home.resolve("link.db"), file);
        assertThat(RealPath.of(link)).isEqualTo(file);
    }

    @Test
    void a_link_to_a_missing_file_resolves_to_that_file() throws IOException {
        Path link = Files.createSymbolicLink(home.resolve("link.db"), Path.of("data/app.db"));
        Path linkToLink = Files.createSymbolicLink(home.resolve("link2.db"), link);
        assertThat(RealPath.of(linkToLink)).isEqualTo(home.resolve("data/app.db"));
    }

    @Test
    void the_parent_of_a_linked_folder_is_the_parent_of_its_target() throws IOException {
        Path inner = Files.createDirectories(home.resolve("a/b"));
        Path link = Files.createSymbolicLink(home.resolve("link"), inner);
        assertThat(RealPath.of(link.resolve("../app.db"))).isEqualTo(home.resolve("a/app.db"));
    }

    @Test
    void a_cycle_of_links_does_not_loop_for_ever() throws IOException {
        Path one = home.resolve("one");
        Path two = Files.createSymbolicLink(home.resolve("two"), one);
        Files.createSymbolicLink(one, two);
        assertThat(RealPath.of(one).getParent()).isEqualTo(home);
    }

    @Test
    void the_root_resolves_to_itself() {
        Path root = home.getRoot();
        assertThat(RealPath.of(root.resolve("no-such-file-here"))).isEqualTo(root.resolve("no-such-file-here"));
        assertThat(RealPath.of(root)).isEqualTo(root);
    }
}
