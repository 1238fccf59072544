// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * When jobs come: batches fall on hours of the week by the curve, and the more of an hour's or a day's due is already
 * there, the less likely is another there. A batch stays within its ten minutes.
 */
final class Arrivals {
    /** Mean gap within a batch, s: half of the gaps on Philly's list are under 8 s, a quarter under 3 s. */
    private static final int GAP_SECONDS = 5;

    private Arrivals() {}

    /**
     * @param sizes of the batches
     * @return s, rising
     */
    static long[] draw(ArrivalCurve curve, int[] sizes, SplittableRandom random) {
        int[] order = sizes.clone();
        Arrays.sort(order);
        int jobs = Arrays.stream(order).sum();
        Dues dues = new Dues(curve, jobs);
        long[] submit = new long[jobs];
        int filled = 0;
        // The largest first: they find room everywhere.
        for (int batch = order.length - 1; batch >= 0; batch--) {
            int cell = dues.pick(random);
            dues.take(cell, order[batch]);
            double within = random.nextDouble() * curve.exposure(cell);
            double start = Math.floor(within / ArrivalCurve.HOUR_SECONDS) * ArrivalCurve.WEEK_SECONDS
                    + (double) cell * ArrivalCurve.HOUR_SECONDS
                    + within % ArrivalCurve.HOUR_SECONDS;
            double bin = Math.floor(start / ArrivalCurve.BIN_SECONDS) * ArrivalCurve.BIN_SECONDS;
            double end = Math.min(bin + ArrivalCurve.BIN_SECONDS, curve.span());
            double length = Math.min(end - bin, 1 + GAP_SECONDS * (order[batch] - 1.0));
            double from = Math.min(start, end - length);
            for (int job = 0; job < order[batch]; job++) {
                submit[filled++] = (long) (from + random.nextDouble() * length);
            }
        }
        Arrays.sort(submit);
        return submit;
    }

    /** What each hour of the day and each day of the week has still to get. */
    private static final class Dues {
        private final ArrivalCurve curve;
        private final double[] hours = new double[ArrivalCurve.HOURS];
        private final double[] days = new double[ArrivalCurve.DAYS];
        private final double[] left = new double[ArrivalCurve.HOURS + ArrivalCurve.DAYS];
        private final double[] chances = new double[ArrivalCurve.HOURS * ArrivalCurve.DAYS];

        Dues(ArrivalCurve curve, int jobs) {
            this.curve = curve;
            for (int hour = 0; hour < hours.length; hour++) {
                hours[hour] = jobs * curve.hourShare(hour);
                left[hour] = hours[hour];
            }
            for (int day = 0; day < days.length; day++) {
                days[day] = jobs * curve.dayShare(day);
                left[hours.length + day] = days[day];
            }
        }

        void take(int cell, int jobs) {
            left[cell % ArrivalCurve.HOURS] -= jobs;
            left[hours.length + cell / ArrivalCurve.HOURS] -= jobs;
        }

        int pick(SplittableRandom random) {
            double sum = 0;
            for (int cell = 0; cell < chances.length; cell++) {
                int hour = cell % ArrivalCurve.HOURS;
                int day = cell / ArrivalCurve.HOURS;
                double share = curve.share(cell);
                chances[cell] = share == 0
                        ? 0
                        : share * part(left[hour], hours[hour]) * part(left[hours.length + day], days[day]);
                sum += chances[cell];
            }
            if (sum == 0) {
                for (int cell = 0; cell < chances.length; cell++) {
                    chances[cell] = curve.share(cell);
                }
                sum = 1;
            }
            double at = random.nextDouble() * sum;
            int last = 0;
            for (int cell = 0; cell < chances.length; cell++) {
                if (chances[cell] > 0) {
                    last = cell;
                    at -= chances[cell];
                    if (at < 0) {
                        return cell;
                    }
                }
            }
            return last;
        }

        private static double part(double left, double due) {
            return Math.max(0, left / due);
        }
    }
}
