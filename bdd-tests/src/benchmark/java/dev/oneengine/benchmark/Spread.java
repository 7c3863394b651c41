package dev.oneengine.benchmark;

import java.util.List;

/**
 * The middle half of some values. Immutable.
 *
 * @param low the lower quartile
 * @param median the median
 * @param high the upper quartile
 */
record Spread(double low, double median, double high) {
    static Spread of(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Spread(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
    }

    /** Interpolates between the two nearest values. */
    private static double at(double[] sorted, double place) {
        double index = place * (sorted.length - 1);
        int below = (int) index;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (index - below) * (sorted[above] - sorted[below]);
    }
}
