// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import io.treadle.simulator.generate.ClusterProfile.GpuBucket;
import io.treadle.simulator.generate.ClusterProfile.GpuCount;
import io.treadle.simulator.generate.ClusterProfile.Knot;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs by duration and GPU bucket: of all tables that have the published duration curve, the published shares of the
 * buckets and the published mean duration of each bucket, the one nearest to independence (least relative entropy).
 *
 * <p>Its cells are {@code a(interval) · c(bucket) · exp(θ(bucket) · t)}, uniform in log t where nothing else is known.
 * Found by iterative proportional fitting: each bucket's θ is solved for its mean, then the intervals are scaled to
 * their shares, and so on until both agree (Csiszár 1975: this converges to that table where one exists).
 */
final class JointTable {
    /** Parts of each interval between two knots; within a part the density is uniform in log t. */
    private static final int PARTS = 16;

    private static final int MOST_ROUNDS = 4000;
    private static final double EXACT = 1e-7;
    /** Mean by GPU count over mean of the curve, uniform in log t: 0.95 on all clusters but Seren, where it is 0.70. */
    private static final double USUAL_AGREEMENT = 0.95;

    private static final double LEAST_AGREEMENT = 0.85;
    /** Seconds below which jobs count as one second. */
    private static final double SHORTEST = 0.5;
    /** Durations are rounded up to whole seconds, which adds this to their mean. */
    static final double ROUNDING = 0.5;

    private final List<GpuBucket> buckets;
    /** Between parts, s. */
    private final double[] edges;
    /** [bucket][part], adding up to the share of the bucket. */
    private final double[][] cells;

    private JointTable(List<GpuBucket> buckets, double[] edges, double[][] cells) {
        this.buckets = buckets;
        this.edges = edges;
        this.cells = cells;
    }

    static JointTable fit(ClusterProfile profile) {
        List<Knot> rows = rows(profile);
        double[] edges = edges(rows);
        int parts = edges.length - 1;
        double[] means = new double[parts];
        double[] rowShares = new double[rows.size()];
        double before = 0;
        for (int row = 0; row < rowShares.length; row++) {
            rowShares[row] = (rows.get(row).percent() - before) / 100;
            before = rows.get(row).percent();
        }
        for (int part = 0; part < parts; part++) {
            means[part] = (edges[part + 1] - edges[part]) / Math.log(edges[part + 1] / edges[part]);
        }
        double all = profile.buckets().stream().mapToDouble(GpuBucket::percent).sum();
        Tilt[] tilts = profile.buckets().stream()
                .map(bucket -> new Tilt(means, bucket.percent() / all, bucket.meanDurationSeconds() - ROUNDING))
                .toArray(Tilt[]::new);
        rowShares = agreeing(rowShares, rows, profile);
        double[] scale = rowShares.clone();
        double[] weights = new double[parts];
        for (int round = 0; round < MOST_ROUNDS; round++) {
            for (int part = 0; part < parts; part++) {
                weights[part] = scale[part / PARTS];
            }
            double[] sums = new double[rowShares.length];
            for (Tilt tilt : tilts) {
                double[] cells = tilt.solve(weights);
                for (int part = 0; part < parts; part++) {
                    sums[part / PARTS] += cells[part];
                }
            }
            double worst = 0;
            for (int row = 0; row < sums.length; row++) {
                worst = Math.max(worst, Math.abs(sums[row] - rowShares[row]));
                scale[row] = rowShares[row] == 0 ? 0 : scale[row] * rowShares[row] / sums[row];
            }
            if (worst < EXACT) {
                break;
            }
        }
        double[][] cells = new double[tilts.length][];
        for (int i = 0; i < tilts.length; i++) {
            cells[i] = tilts[i].cells();
        }
        return new JointTable(profile.buckets(), edges, cells);
    }

    /**
     * Shares of the intervals. Where the curve asks for longer jobs than the means by GPU count allow (Seren), it gives
     * way: the tail is thinned, with the least relative entropy, until the two can be had together.
     */
    private static double[] agreeing(double[] rowShares, List<Knot> rows, ClusterProfile profile) {
        double[] means = new double[rowShares.length];
        double ofCurve = 0;
        double from = SHORTEST;
        for (int row = 0; row < means.length; row++) {
            double to = rows.get(row).seconds();
            means[row] = (to - from) / Math.log(to / from);
            ofCurve += rowShares[row] * means[row];
            from = to;
        }
        double all = 0;
        double ofBuckets = 0;
        for (GpuBucket bucket : profile.buckets()) {
            all += bucket.percent();
            ofBuckets += bucket.percent() * bucket.meanDurationSeconds();
        }
        ofBuckets /= all;
        return ofBuckets >= LEAST_AGREEMENT * ofCurve
                ? rowShares
                : new Tilt(means, 1, ofBuckets / USUAL_AGREEMENT).solve(rowShares);
    }

    /** The knots, ending where all jobs have ended. */
    private static List<Knot> rows(ClusterProfile profile) {
        List<Knot> rows = new ArrayList<>();
        for (Knot knot : profile.durations()) {
            if (knot.seconds() >= profile.maxDurationSeconds()) {
                break;
            }
            rows.add(knot);
            if (knot.percent() >= 100) {
                return rows;
            }
        }
        rows.add(new Knot(profile.maxDurationSeconds(), 100));
        return rows;
    }

    private static double[] edges(List<Knot> rows) {
        double[] edges = new double[rows.size() * PARTS + 1];
        double from = SHORTEST;
        for (int row = 0; row < rows.size(); row++) {
            double to = rows.get(row).seconds();
            for (int part = 0; part < PARTS; part++) {
                edges[row * PARTS + part] = from * Math.pow(to / from, (double) part / PARTS);
            }
            from = to;
        }
        edges[edges.length - 1] = from;
        return edges;
    }

    /** The same table without the jobs that have more GPUs; the rest adds up to 1 again. */
    JointTable upTo(long gpus) {
        if (buckets.stream().flatMap(bucket -> bucket.counts().stream()).allMatch(count -> count.gpus() <= gpus)) {
            return this;
        }
        List<GpuBucket> left = new ArrayList<>();
        List<double[]> columns = new ArrayList<>();
        double sum = 0;
        for (int i = 0; i < buckets.size(); i++) {
            GpuBucket bucket = buckets.get(i);
            double kept = bucket.counts().stream()
                    .filter(count -> count.gpus() <= gpus)
                    .mapToDouble(GpuCount::share)
                    .sum();
            if (kept > 0) {
                left.add(narrowed(bucket, gpus, kept));
                columns.add(scaled(cells[i], kept));
                sum += bucketShare(i) * kept;
            }
        }
        double[][] scaled = new double[columns.size()][];
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] = scaled(columns.get(i), 1 / sum);
        }
        return new JointTable(List.copyOf(left), edges, scaled);
    }

    private static GpuBucket narrowed(GpuBucket bucket, long gpus, double kept) {
        return new GpuBucket(
                bucket.upTo(),
                bucket.percent() * kept,
                bucket.meanDurationSeconds(),
                bucket.rough(),
                bucket.counts().stream()
                        .filter(count -> count.gpus() <= gpus)
                        .map(count -> new GpuCount(count.gpus(), count.share() / kept))
                        .toList());
    }

    private static double[] scaled(double[] values, double factor) {
        double[] scaled = values.clone();
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] *= factor;
        }
        return scaled;
    }

    List<GpuBucket> buckets() {
        return buckets;
    }

    /** Share of all jobs that are in the bucket. */
    double bucketShare(int bucket) {
        double sum = 0;
        for (double cell : cells[bucket]) {
            sum += cell;
        }
        return sum;
    }

    /** How long the bucket's jobs last. */
    DurationCurve durations(int bucket) {
        return new DurationCurve(edges, cells[bucket]);
    }

    /** Share of all jobs that last at most so long; exact at the published knots. */
    double shareUpTo(double seconds) {
        double sum = 0;
        for (double[] column : cells) {
            for (int part = 0; part < column.length && edges[part + 1] <= seconds * (1 + 1e-9); part++) {
                sum += column[part];
            }
        }
        return sum;
    }

    /** Mean duration of all jobs, s. */
    double meanSeconds() {
        double sum = 0;
        for (int i = 0; i < buckets.size(); i++) {
            sum += bucketShare(i) * buckets.get(i).meanDurationSeconds();
        }
        return sum;
    }
}
