package dev.oneengine.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ChildJvmTest {
    /** A program that exits or hangs. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println("the reason");
            if (arguments[0].equals("exits")) {
                System.exit(3);
            }
            Thread.currentThread().join();
        }
    }

    @Test
    void a_failure_shows_the_output() {
        assertThatThrownBy(ChildJvm.of(Program.class, "exits").quick()::run)
                .isInstanceOf(AssertionError.class)
                .hasMessage("Exited with status 3:\nthe reason" + System.lineSeparator());
    }

    @Test
    void an_interrupt_ends_the_program() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(ChildJvm.of(Program.class, "hangs").quick()::run)
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("Interrupted");
    }
}
