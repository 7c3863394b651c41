package dev.oneengine.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Shows that each rule of {@link Rooms} can fail. */
class RoomsTest {
    private static final String HOUSE = "dev.oneengine.testing.house";
    private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(HOUSE);

    @Test
    void a_module_with_a_reason_for_its_cycle_passes() {
        assertThat(house().cycle("a door leads to its hall", "Door", "Hall").violations(CLASSES))
                .isEmpty();
    }

    @Test
    void a_cycle_needs_a_reason() {
        assertThat(house().violations(CLASSES)).containsExactly("[Door, Hall] form a cycle without a reason");
        assertThat(house().cycle(" ", "Door", "Hall").violations(CLASSES))
                .containsExactly("the cycle [Door, Hall] has no reason");
    }

    @Test
    void a_reason_needs_a_cycle() {
        assertThat(house().cycle("a door leads to its hall", "Door", "Hall")
                        .cycle("none", "Cellar", "Hall")
                        .violations(CLASSES))
                .containsExactly("[Cellar, Hall] form no cycle; remove the reason");
    }

    @Test
    void a_dependency_on_a_later_room_is_a_violation() {
        Rooms upsideDown = Rooms.of(HOUSE).room("ground floor", "Door", "Hall").room("cellar", "Cellar");

        assertThat(upsideDown.cycle("a door leads to its hall", "Door", "Hall").violations(CLASSES))
                .containsExactly("Hall in \"ground floor\" depends on Cellar in the later room \"cellar\"");
    }

    @Test
    void a_cycle_between_rooms_is_a_violation() {
        assertThat(Rooms.of(HOUSE)
                        .room("cellar", "Cellar")
                        .room("door", "Door")
                        .room("hall", "Hall")
                        .violations(CLASSES))
                .containsExactly("Door in \"door\" depends on Hall in the later room \"hall\"");
    }

    @Test
    void a_cycle_between_rooms_does_not_hide_a_cycle_within_a_room() {
        JavaClasses yard = new ClassFileImporter().importPackages("dev.oneengine.testing.yard");

        assertThat(Rooms.of("dev.oneengine.testing.yard")
                        .room("front", "Gate", "Path")
                        .room("back", "Shed")
                        .violations(yard))
                .containsExactly(
                        "Path in \"front\" depends on Shed in the later room \"back\"",
                        "[Gate, Path] form a cycle without a reason");
    }

    @Test
    void each_class_is_in_one_room() {
        Rooms rooms =
                Rooms.of(HOUSE).room("ground floor", "Door", "Hall", "Attic").room("front", "Door");

        assertThat(rooms.cycle("a door leads to its hall", "Door", "Hall").violations(CLASSES))
                .contains("Door is in more than one room", "Cellar is in no room", "Attic does not exist");
    }

    @Test
    void a_package_can_be_a_room() {
        assertThat(Rooms.of("dev.oneengine.testing")
                        .room("all", "house.*")
                        .cycle("a door leads to its hall", "house.Door", "house.Hall")
                        .violations(CLASSES))
                .isEmpty();
    }

    @Test
    void a_check_lists_the_violations() {
        assertThatThrownBy(() -> Rooms.of("dev.oneengine.cache").check())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Engine is in no room");
    }

    private static Rooms house() {
        return Rooms.of(HOUSE).room("cellar", "Cellar").room("ground floor", "Door", "Hall");
    }
}
