package dev.oneengine.benchmark;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Formats numbers for tables. Stateless and thread-safe. */
final class Figures {
    private Figures() {}

    /** Formats a value with three significant digits. */
    static String of(double value) {
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(3));
        int decimals = rounded.signum() == 0 ? 0 : Math.max(0, 2 - exponent(rounded));
        return String.format(Locale.ROOT, "%,." + decimals + "f", rounded);
    }

    /** The power of ten of the first digit. */
    private static int exponent(BigDecimal value) {
        return value.precision() - value.scale() - 1;
    }

    /** A ratio with its quartiles. */
    static String ratio(Spread spread) {
        return of(spread.median()) + " (" + of(spread.low()) + " to " + of(spread.high()) + ")";
    }
}
