// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.model.ps.PsSample;
import io.treadle.core.model.ps.PsSize;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How fast a job is with each of the numbers of workers and servers that it was measured with. */
final class ServerPoints {
    /** Weights of measurements before the last are bounded, so that a speed goes on following its job. */
    private static final double MOST_WEIGHT = 4;

    /** @param relativeError standard error; NaN where nobody knows */
    private record Speed(double samplesPerSecond, double relativeError, double weight) {}

    private final Map<PsSize, Speed> speeds = new LinkedHashMap<>();

    boolean has(PsSize size) {
        return speeds.containsKey(size);
    }

    boolean isEmpty() {
        return speeds.isEmpty();
    }

    List<PsSize> sizes() {
        return List.copyOf(speeds.keySet());
    }

    /** Returns whether the size is new. */
    boolean add(PsSize size, double samplesPerSecond, double relativeError) {
        return speeds.merge(size, new Speed(samplesPerSecond, relativeError, 1), ServerPoints::refined)
                        .weight()
                == 1;
    }

    private static Speed refined(Speed before, Speed now) {
        double weight = Math.min(MOST_WEIGHT, before.weight());
        double speed = (weight * before.samplesPerSecond() + now.samplesPerSecond()) / (weight + 1);
        double error = Math.hypot(
                        weight * before.samplesPerSecond() * before.relativeError(),
                        now.samplesPerSecond() * now.relativeError())
                / (weight + 1)
                / speed;
        return new Speed(speed, error, weight + 1);
    }

    /** @param batch samples of an iteration: of all workers where they are synchronous, of each where they are not */
    List<PsSample> samples(Mode mode, double batch) {
        return speeds.entrySet().stream()
                .map(e -> new PsSample(
                        e.getKey(),
                        samplesOf(e.getKey(), mode, batch) / e.getValue().samplesPerSecond(),
                        e.getValue().relativeError()))
                .toList();
    }

    /** What another ApplicationMaster has measured. */
    void addAll(List<PsSample> samples, Mode mode, double batch) {
        for (PsSample sample : samples) {
            add(sample.size(), samplesOf(sample.size(), mode, batch) / sample.seconds(), sample.relativeError());
        }
    }

    private static double samplesOf(PsSize size, Mode mode, double batch) {
        return mode == Mode.SYNC ? batch : size.workers() * batch;
    }
}
