// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

import io.treadle.core.wire.EnergyPoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Time and draw of a live job over GPUs, batch and power cap, by the models of ADR 16. Each of its points holds gradients and
 * their exchange, and seldom at every cap: so the curves of one GPU are fitted to what the exchange leaves of the times, the
 * exchange to what the gradients leave at the same cap, and both again until they agree.
 */
final class EnergyFit {
    /** Where the GPU model's own is not known. */
    private static final double USUAL_EXPONENT = 3.5;
    /** The part of the time that goes with the cap at the default limit, where one cap alone was measured. */
    private static final double USUAL_SENSITIVITY = 0.03;
    /** Of the default limit: the second cap of a curve of which one was measured. */
    private static final double USUAL_CAP = 0.5;
    /**
     * Time of the exchange where one number of GPUs alone was measured, for the ring and for each doubling of nodes, as part
     * of the gradients' time. More than most of the tables of ADR 16 have: to foretell too little speed costs less.
     */
    private static final double USUAL_RING = 0.1;

    private static final double USUAL_CROSSING = 3 * USUAL_RING;
    private static final int ROUNDS = 30;
    /** Of an iteration's time. */
    private static final double AGREED = 1e-4;

    private static final int ONE_NODE = 1 << 24;

    private final GpuCurves curves;
    private final IterationTime exchange;
    private final double idleWatts;

    private EnergyFit(GpuCurves curves, IterationTime exchange, double idleWatts) {
        this.curves = curves;
        this.exchange = exchange;
        this.idleWatts = idleWatts;
    }

    /**
     * @param points of configurations that can be, of known batch; at least one
     * @param defaultCapWatts limit of a GPU without a cap, W
     * @param idleWatts what a GPU draws that does nothing, W
     */
    static EnergyFit of(List<EnergyPoint> points, double defaultCapWatts, double idleWatts) {
        int gpusOfNode = gpusOfNode(points);
        boolean scales = points.stream().mapToInt(EnergyPoint::gpus).distinct().count() > 1;
        IterationTime exchange =
                scales ? new IterationTime(0, 0, 0, 0, 0, gpusOfNode) : usualExchange(points, gpusOfNode);
        GpuCurves curves = curves(points, exchange, defaultCapWatts, idleWatts);
        boolean agree = !scales;
        for (int round = 0; !agree && round < ROUNDS; round++) {
            GpuCurves last = curves;
            IterationTime before = exchange;
            exchange = IterationTime.fit(
                    points.stream()
                            .map(p ->
                                    new ScaleSample(p.gpus(), share(p), p.passes(), uncapped(p, last, defaultCapWatts)))
                            .toList(),
                    gpusOfNode);
            curves = curves(points, exchange, defaultCapWatts, idleWatts);
            agree = agree(points, before, exchange);
        }
        return new EnergyFit(curves, exchange, idleWatts);
    }

    private static boolean agree(List<EnergyPoint> points, IterationTime one, IterationTime other) {
        return points.stream()
                .allMatch(p -> Math.abs(one.exchangeSeconds(p.gpus()) - other.exchangeSeconds(p.gpus()))
                        <= AGREED * pass(p) * p.passes());
    }

    /** Only jobs on several nodes tell; others are taken to stay on one. */
    private static int gpusOfNode(List<EnergyPoint> points) {
        return points.stream()
                .filter(p -> p.nodes() > 1)
                .mapToInt(p -> (p.gpus() + p.nodes() - 1) / p.nodes())
                .max()
                .orElse(ONE_NODE);
    }

    private static IterationTime usualExchange(List<EnergyPoint> points, int gpusOfNode) {
        IterationTime unit = new IterationTime(0, 0, USUAL_RING, 0, USUAL_CROSSING, gpusOfNode);
        // At the highest cap: the exchange is not slowed by it.
        EnergyPoint fastest = points.stream()
                .max(Comparator.comparingDouble(EnergyPoint::capWatts).thenComparingDouble(EnergyFit::share))
                .orElseThrow();
        double gradients = pass(fastest) * fastest.passes() / (1 + unit.exchangeSeconds(fastest.gpus()));
        return new IterationTime(0, 0, USUAL_RING * gradients, 0, USUAL_CROSSING * gradients, gpusOfNode);
    }

    /** Time of a pass with its part of the exchange, s. */
    private static double pass(EnergyPoint point) {
        return point.batch() / point.samplesPerSecond();
    }

    /** Samples of a pass on each GPU. */
    static double share(EnergyPoint point) {
        return (double) point.batch() / point.gpus();
    }

    /** What the pass would have taken without a cap. */
    private static double uncapped(EnergyPoint point, GpuCurves curves, double defaultCapWatts) {
        double share = share(point);
        double gained = curves.seconds(share, point.capWatts()) - curves.seconds(share, defaultCapWatts);
        return Math.max(pass(point) - gained, pass(point) / 100);
    }

    private static GpuCurves curves(
            List<EnergyPoint> points, IterationTime exchange, double defaultCapWatts, double idleWatts) {
        TreeMap<Long, List<GpuSample>> byBatch = points.stream()
                .map(p -> gradients(p, exchange.exchangeSeconds(p.gpus()) / p.passes(), idleWatts))
                .collect(Collectors.groupingBy(GpuSample::batch, TreeMap::new, Collectors.toList()));
        List<GpuSample> richest = byBatch.values().stream()
                .max(Comparator.comparingLong(EnergyFit::caps))
                .orElseThrow();
        CapTime time = caps(richest) > 1 ? CapTime.fit(richest, USUAL_EXPONENT) : usualTime(defaultCapWatts);
        CapDraw draw = CapDraw.fit(richest);
        List<GpuSample> samples = new ArrayList<>();
        byBatch.values().forEach(group -> {
            samples.addAll(group);
            if (caps(group) == 1) {
                // It is taken to follow the cap as the batch does of which most is known.
                GpuSample known = group.get(0);
                double other = otherCap(richest, known.capWatts(), defaultCapWatts);
                samples.add(new GpuSample(
                        known.batch(),
                        other,
                        known.seconds() * time.seconds(other) / time.seconds(known.capWatts()),
                        known.drawWatts() * draw.watts(other) / draw.watts(known.capWatts())));
            }
        });
        return GpuCurves.fit(samples, time.exponent());
    }

    private static long caps(List<GpuSample> samples) {
        return samples.stream().mapToDouble(GpuSample::capWatts).distinct().count();
    }

    private static CapTime usualTime(double defaultCapWatts) {
        double atOneHundredWatts = USUAL_SENSITIVITY * Math.pow(defaultCapWatts / 100, USUAL_EXPONENT);
        return new CapTime(1 - USUAL_SENSITIVITY, atOneHundredWatts, USUAL_EXPONENT);
    }

    private static double otherCap(List<GpuSample> richest, double capWatts, double defaultCapWatts) {
        double least = richest.stream().mapToDouble(GpuSample::capWatts).min().orElseThrow();
        double lower = Math.min(least, USUAL_CAP * defaultCapWatts);
        return capWatts > 1.1 * lower ? lower : Math.max(defaultCapWatts, 1.2 * capWatts);
    }

    /** What one of the point's GPUs does without the exchange, which has less draw. */
    private static GpuSample gradients(EnergyPoint point, double exchangeSeconds, double idleWatts) {
        double pass = pass(point);
        double exchange = Math.min(exchangeSeconds, 0.9 * pass);
        double seconds = pass - exchange;
        long batch = Math.max(1, Math.round(share(point)));
        double watts = EnergyProfile.gradientWatts(point.watts() / point.gpus(), seconds, exchange, idleWatts);
        return new GpuSample(batch, Math.max(1, Math.rint(point.capWatts())), seconds * batch / share(point), watts);
    }

    /** Time of a step of so many passes on all of so many GPUs at the cap in W, s. */
    double seconds(int gpus, double share, double passes, double capWatts) {
        return passes * curves.seconds(share, capWatts) + exchange.exchangeSeconds(gpus);
    }

    /** Average draw of all the GPUs together, W. */
    double watts(int gpus, double share, double passes, double capWatts) {
        return gpus
                * EnergyProfile.draw(
                        curves.watts(share, capWatts),
                        passes * curves.seconds(share, capWatts),
                        exchange.exchangeSeconds(gpus),
                        idleWatts);
    }
}
