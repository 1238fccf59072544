// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.solve.NonNegativeLeastSquares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/**
 * The time of an iteration over workers and servers, fitted to measurements of the whole iteration: {@code M/w, 1, w/p, w,
 * p} where workers are synchronous, {@code 1, w/p, w, p} where they are not (Optimus, EuroSys 2018), each with a factor that
 * is not negative.
 *
 * @param model the fitted one
 * @param error mean of what each size was foretold by all others, against what was measured, 0.05 for 5 %; NaN where a
 *     size less tells too little
 * @param noise what the errors of the measurements make uncertain of what is foretold: its relative standard error, mean over
 *     the sizes looked at, 0.05 for 5 %; NaN where a measurement's error is unknown. It says nothing of whether the model suits
 *     the job
 */
public record PsFit(LayeredPsModel model, double error, double noise) {
    /** By these five all unknowns are told apart; sizes with as many workers as servers never do. */
    public static final List<PsSize> PROBES =
            List.of(new PsSize(1, 1), new PsSize(2, 1), new PsSize(4, 1), new PsSize(4, 4), new PsSize(2, 4));

    /** Looked at beside those, of each number. */
    static final int CANDIDATES = 8;

    private static final double RIDGE = 1e-9;
    /** Of singular values, of columns of length 1. */
    private static final double RANK_TOLERANCE = 1e-6;

    /**
     * @param batch samples of an iteration: of all workers where they are synchronous, of each where they are not
     * @throws IllegalArgumentException where the measurements leave an unknown open; the message names a size that would tell
     */
    public static PsFit of(List<PsSample> samples, Mode mode, double batch) {
        return of(samples, mode, batch, PsSizes.ALL);
    }

    /**
     * The same for a job with bounds: what no size within them tells apart makes no difference there.
     *
     * @throws IllegalArgumentException where there are no measurements, or a size within the bounds would tell more; the
     *     message names it
     */
    public static PsFit of(List<PsSample> samples, Mode mode, double batch, PsSizes bounds) {
        List<PsSample> all = List.copyOf(samples);
        Optional<PsSize> missing = missing(sizes(all), mode, bounds);
        if (missing.isPresent()) {
            throw new IllegalArgumentException("measurements of "
                    + (all.isEmpty()
                            ? "no size"
                            : sizes(all).stream().map(PsSize::text).collect(Collectors.joining("; ")))
                    + " leave open how an iteration's time depends on workers and servers; one of "
                    + missing.get().text() + " is missing");
        }
        LayeredPsModel model = fit(all, mode, batch);
        return new PsFit(model, errorWithout(all, mode, batch), noise(all, model, bounds));
    }

    /** How far it can be relied on: never far where no size has tested the model. */
    public Confidence confidence() {
        return confidence(error, noise);
    }

    /** The same of what another process has fitted. */
    public static Confidence confidence(double error, double noise) {
        Confidence byNoise = Confidence.of(noise);
        if (!Double.isNaN(error)) {
            return Double.isNaN(noise) ? Confidence.of(error) : Confidence.of(Math.max(error, noise));
        }
        return byNoise == Confidence.HIGH ? Confidence.MEDIUM : byNoise;
    }

    /**
     * The next size to measure so that the fit has one answer; empty where the sizes measured tell enough, or no size within
     * the bounds tells more.
     */
    public static Optional<PsSize> missing(List<PsSize> measured, Mode mode, PsSizes bounds) {
        int rank = rank(measured, mode);
        if (rank == unknowns(mode)) {
            return Optional.empty();
        }
        List<PsSize> candidates = new ArrayList<>(PROBES);
        candidates.addAll(bounds.first(CANDIDATES));
        for (PsSize candidate : candidates) {
            if (bounds.allow(candidate)) {
                List<PsSize> more = new ArrayList<>(measured);
                more.add(candidate);
                if (rank(more, mode) > rank) {
                    return Optional.of(candidate);
                }
            }
        }
        return Optional.empty();
    }

    private static int unknowns(Mode mode) {
        return mode == Mode.SYNC ? 5 : 4;
    }

    private static List<PsSize> sizes(List<PsSample> samples) {
        return samples.stream().map(PsSample::size).distinct().toList();
    }

    private static int rank(List<PsSize> sizes, Mode mode) {
        if (sizes.isEmpty()) {
            return 0;
        }
        double[][] rows = sizes.stream()
                .map(size -> row(size.workers(), size.servers(), mode, 1))
                .toArray(double[][]::new);
        for (int column = 0; column < rows[0].length; column++) {
            double length = 0;
            for (double[] row : rows) {
                length += row[column] * row[column];
            }
            for (double[] row : rows) {
                row[column] /= Math.sqrt(length);
            }
        }
        double[] values = new SingularValueDecomposition(new Array2DRowRealMatrix(rows)).getSingularValues();
        int rank = 0;
        for (double value : values) {
            rank += value > RANK_TOLERANCE * values[0] ? 1 : 0;
        }
        return rank;
    }

    private static double[] row(double workers, double servers, Mode mode, double batch) {
        return mode == Mode.SYNC
                ? new double[] {batch / workers, 1, workers / servers, workers, servers}
                : new double[] {1, workers / servers, workers, servers};
    }

    /** Each measurement counts by its relative error: small and large jobs are meant to be right alike. */
    private static LayeredPsModel fit(List<PsSample> samples, Mode mode, double batch) {
        double[][] rows = new double[samples.size()][];
        double[] targets = new double[samples.size()];
        // Columns of like length, so that the ridge weighs on all alike.
        double[] scale = row(1, 1, mode, batch);
        for (int i = 0; i < rows.length; i++) {
            PsSample sample = samples.get(i);
            rows[i] = row(sample.size().workers(), sample.size().servers(), mode, batch);
            for (int j = 0; j < scale.length; j++) {
                rows[i][j] /= scale[j] * sample.seconds();
            }
            targets[i] = 1;
        }
        double[] found = NonNegativeLeastSquares.solve(rows, targets, RIDGE);
        for (int j = 0; j < scale.length; j++) {
            found[j] /= scale[j];
        }
        return mode == Mode.SYNC
                ? LayeredPsModel.ofWhole(found[0], found[1], found[2], found[3], found[4], mode, batch)
                : LayeredPsModel.ofWhole(0, found[0], found[1], found[2], found[3], mode, batch);
    }

    /**
     * Each measurement is moved by its own error in turn, up and down, and what that moves is added in squares: errors of
     * first order, carried over as they are by any fit, also one with factors at their bound.
     */
    private static double noise(List<PsSample> samples, LayeredPsModel model, PsSizes bounds) {
        List<PsSize> looked =
                bounds.first(CANDIDATES).stream().filter(bounds::allow).toList();
        double[] squares = new double[looked.size()];
        for (int i = 0; i < samples.size(); i++) {
            double part = samples.get(i).relativeError();
            if (Double.isNaN(part)) {
                return Double.NaN;
            }
            LayeredPsModel up = fit(moved(samples, i, 1 + part), model.mode(), model.batch());
            LayeredPsModel down = fit(moved(samples, i, 1 / (1 + part)), model.mode(), model.batch());
            for (int j = 0; j < squares.length; j++) {
                PsSize size = looked.get(j);
                double difference = up.iterationSeconds(size.workers(), size.servers())
                        - down.iterationSeconds(size.workers(), size.servers());
                double share = difference / 2 / model.iterationSeconds(size.workers(), size.servers());
                squares[j] += share * share;
            }
        }
        return Arrays.stream(squares).map(Math::sqrt).average().orElse(Double.NaN);
    }

    private static List<PsSample> moved(List<PsSample> samples, int which, double by) {
        List<PsSample> moved = new ArrayList<>(samples);
        PsSample sample = samples.get(which);
        moved.set(which, new PsSample(sample.size(), sample.seconds() * by));
        return moved;
    }

    private static double errorWithout(List<PsSample> samples, Mode mode, double batch) {
        double sum = 0;
        int told = 0;
        int rank = rank(sizes(samples), mode);
        for (PsSize size : sizes(samples)) {
            List<PsSample> others = new ArrayList<>();
            List<PsSample> left = new ArrayList<>();
            for (PsSample sample : samples) {
                (sample.size().equals(size) ? left : others).add(sample);
            }
            if (!others.isEmpty() && rank(sizes(others), mode) == rank) {
                LayeredPsModel model = fit(others, mode, batch);
                for (PsSample sample : left) {
                    double foretold = model.iterationSeconds(
                            sample.size().workers(), sample.size().servers());
                    sum += Math.abs(foretold / sample.seconds() - 1);
                    told++;
                }
            }
        }
        return told == 0 ? Double.NaN : sum / told;
    }
}
