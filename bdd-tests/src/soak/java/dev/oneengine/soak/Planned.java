package dev.oneengine.soak;

import java.sql.SQLException;

/** The failures that programs throw on purpose. Stateless and thread-safe. */
final class Planned {
    private Planned() {}

    /** Throws the failure that a step names. */
    static Throwable of(Kind kind, int number) {
        String text = "planned " + number;
        return switch (kind) {
            case THROW_EXCEPTION -> new Checked(text);
            case THROW_RUNTIME_EXCEPTION -> new Unchecked(text);
            case THROW_ERROR -> new Severe(text);
            default -> new SQLException(text, "40001");
        };
    }

    static boolean isPlanned(Throwable failure) {
        return failure instanceof Checked || failure instanceof Unchecked || failure instanceof Severe;
    }

    /** Throws a checked exception undeclared, because hooks and Spring's transactions declare none. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <X extends Throwable> RuntimeException sneaky(Throwable failure) throws X {
        throw (X) failure;
    }

    private static final class Checked extends Exception {
        private static final long serialVersionUID = 1L;

        Checked(String message) {
            super(message);
        }
    }

    private static final class Unchecked extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unchecked(String message) {
            super(message);
        }
    }

    private static final class Severe extends Error {
        private static final long serialVersionUID = 1L;

        Severe(String message) {
            super(message);
        }
    }
}
