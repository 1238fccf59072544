// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

import io.treadle.core.wire.EnergyPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;

/** An energy profile out of what a live job was measured to do. */
public final class MeasuredEnergy {
    /** Below it energy rises again on what was measured: no cap is planned there. */
    private static final double LEAST_CAP_SHARE = 0.4;

    private static final double SMALL_GPU_WATTS = 300;
    private static final double SMALL_STEP_WATTS = 25;
    private static final double STEP_WATTS = 50;
    /**
     * Of those beyond the largest that was measured only the next is foretold, however much is known of batches: growth is
     * explored by doubling, and what the exchange costs farther on nothing tells (ADR 19).
     */
    private static final int BEYOND_MEASURED = 2;
    /** With fewer points what is left when one is left out says nothing. */
    private static final int POINTS_FOR_ERROR = 3;

    private static final int MOST_LEFT_OUT = 16;
    /** Taken where workers do not tell theirs; only proportions matter then. */
    private static final long UNKNOWN_BATCH = 1 << 20;

    private MeasuredEnergy() {}

    /**
     * The profile over powers of two of GPUs, and the least number, up to the most, or to twice the largest that was
     * measured. Its iteration is that of the largest number of GPUs measured: where each GPU keeps its batch when there are
     * more, others take the longer for the same samples. Points that cannot be are left out.
     *
     * @param least GPUs that the job must have
     * @param most GPUs that it may have
     * @param leastCapWatts the least that a GPU can be limited to, W; 0 where unknown
     * @param defaultCapWatts limit of a GPU without a cap, W
     * @param idleWatts what a GPU draws that does nothing, W
     * @return empty where there are no usable points
     */
    public static Optional<EnergyProfile> of(
            List<EnergyPoint> points,
            int least,
            int most,
            double leastCapWatts,
            double defaultCapWatts,
            double idleWatts) {
        if (!(defaultCapWatts > 0) || Double.isInfinite(defaultCapWatts) || least < 1) {
            return Optional.empty();
        }
        List<EnergyPoint> usable = usable(points);
        int largest = usable.stream().mapToInt(EnergyPoint::gpus).max().orElse(0);
        int[] gpus = sizes(least, (int) Math.min(most, (long) BEYOND_MEASURED * largest));
        if (gpus.length == 0) {
            return Optional.empty();
        }
        double[] caps = caps(leastCapWatts, defaultCapWatts);
        EnergyFit fit = EnergyFit.of(usable, defaultCapWatts, idleWatts);
        Batches batches = Batches.of(usable);
        return Optional.of(new EnergyProfile(
                gpus,
                caps,
                (n, cap) -> slowestFrom(fit, batches, n, cap, caps),
                (n, cap) -> mostUpTo(fit, batches, n, cap, caps),
                confidence(usable, defaultCapWatts, idleWatts)));
    }

    /**
     * Samples of an iteration (an optimizer's step) of the profile, all GPUs together: at a measured speed they take as long as the profile says.
     *
     * @param profile made of these points
     * @return empty where it knows none of their numbers of GPUs
     */
    public static OptionalDouble samplesOfIteration(EnergyProfile profile, List<EnergyPoint> points) {
        return points.stream()
                .filter(point -> point.isPossible() && profile.sizeOf(point.gpus()) >= 0)
                .max(Batches.OWN.thenComparingDouble(EnergyPoint::capWatts))
                .map(point -> OptionalDouble.of(point.samplesPerSecond()
                        * profile.seconds(profile.sizeOf(point.gpus()), profile.capOf(point.capWatts()))))
                .orElse(OptionalDouble.empty());
    }

    private static List<EnergyPoint> usable(List<EnergyPoint> points) {
        List<EnergyPoint> possible = new ArrayList<>();
        for (EnergyPoint p : points) {
            // Of two placements the one that a scheduler would choose again.
            boolean spread =
                    points.stream().anyMatch(o -> o.isPossible() && o.gpus() == p.gpus() && o.nodes() < p.nodes());
            if (p.isPossible() && !spread) {
                possible.add(p.batch() > 0 ? p : p.withBatch(UNKNOWN_BATCH));
            }
        }
        return possible;
    }

    private static int[] sizes(int least, int most) {
        TreeSet<Integer> sizes = new TreeSet<>();
        if (least <= most) {
            sizes.add(least);
        }
        for (long n = 1; n <= most; n *= 2) {
            if (n >= least) {
                sizes.add((int) n);
            }
        }
        return sizes.stream().mapToInt(Integer::intValue).toArray();
    }

    private static double[] caps(double leastCapWatts, double defaultCapWatts) {
        double step = defaultCapWatts <= SMALL_GPU_WATTS ? SMALL_STEP_WATTS : STEP_WATTS;
        double lowest = Math.max(leastCapWatts, LEAST_CAP_SHARE * defaultCapWatts);
        TreeSet<Double> caps = new TreeSet<>(List.of(defaultCapWatts));
        for (double cap = defaultCapWatts - step; cap >= lowest - 1e-9; cap -= step) {
            caps.add(cap);
        }
        return caps.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** A higher cap never slows, whatever a curve through few points says. */
    private static double slowestFrom(EnergyFit fit, Batches batches, int gpus, double capWatts, double[] caps) {
        double batch = batches.of(gpus);
        double slowest = 0;
        for (double cap : caps) {
            slowest = cap >= capWatts
                    ? Math.max(slowest, fit.seconds(gpus, batches.shareOf(gpus), batches.passesOf(gpus), cap))
                    : slowest;
        }
        return slowest * batches.reference() / batch;
    }

    /** And never saves. */
    private static double mostUpTo(EnergyFit fit, Batches batches, int gpus, double capWatts, double[] caps) {
        double most = 0;
        for (double cap : caps) {
            most = cap <= capWatts
                    ? Math.max(most, fit.watts(gpus, batches.shareOf(gpus), batches.passesOf(gpus), cap))
                    : most;
        }
        return most;
    }

    /** By how far each point is from what the others foretell of it, in time or in energy. */
    private static Confidence confidence(List<EnergyPoint> points, double defaultCapWatts, double idleWatts) {
        if (points.size() < POINTS_FOR_ERROR) {
            return Confidence.LOW;
        }
        double ofTime = 0;
        double ofEnergy = 0;
        // Each costs a fit: of many, some that lie evenly among them tell as much.
        int stride = Math.max(1, (points.size() + MOST_LEFT_OUT - 1) / MOST_LEFT_OUT);
        int leftOut = (points.size() + stride - 1) / stride;
        for (int i = 0; i < points.size(); i += stride) {
            EnergyPoint point = points.get(i);
            List<EnergyPoint> others = new ArrayList<>(points);
            others.remove(i);
            EnergyFit fit = EnergyFit.of(others, defaultCapWatts, idleWatts);
            double share = EnergyFit.share(point);
            double seconds = fit.seconds(point.gpus(), share, point.passes(), point.capWatts())
                    / (point.batch() * point.passes() / point.samplesPerSecond());
            double watts = fit.watts(point.gpus(), share, point.passes(), point.capWatts()) / point.watts();
            ofTime += Math.abs(seconds - 1) / leftOut;
            ofEnergy += Math.abs(seconds * watts - 1) / leftOut;
        }
        return Confidence.of(Math.max(ofTime, ofEnergy));
    }
}
