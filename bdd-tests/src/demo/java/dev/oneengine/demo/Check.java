package dev.oneengine.demo;

/**
 * An expectation of a run and whether the run met it. Immutable and thread-safe.
 *
 * @param text what the run showed
 * @param good whether the result is good news about its subject; the bug is expected, but bad news
 * @param met whether the run showed what it must show
 */
record Check(String text, boolean good, boolean met) {
    /** Creates an expectation that is good news if it is met. */
    Check(String text, boolean met) {
        this(text, true, met);
    }

    /** The mark before the text: {@code FAIL} if the expectation was not met. */
    String mark() {
        return met ? (good ? "ok" : "bad") : "FAIL";
    }

    /** Whether the mark is shown in the colour of good news. */
    boolean isGoodNews() {
        return met && good;
    }
}
