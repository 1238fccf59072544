// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.wire.ProfileRecord;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * One of the two ways to look at a matrix: its speed over vcores, or over memory.
 *
 * @param title what is counted along it
 * @param useful the least amount that is as fast as any
 * @param usefulText the same in words
 * @param measured what was measured
 * @param ticks amounts that are told below it, rising
 * @param speed samples/s that are planned with
 */
record CurveAxis(
        String title,
        long useful,
        String usefulText,
        List<Measured> measured,
        List<Long> ticks,
        DoubleUnaryOperator speed) {
    /** @param amount vcores or MiB of a worker */
    record Measured(long amount, double samplesPerSecond) {}

    /** With the useful memory, which is no limit. */
    static CurveAxis ofVcores(List<ProfileRecord.Point> points, SensitivityMatrix matrix) {
        long useful = matrix.demand(0).vcores();
        long memoryMiB = matrix.demand(0).memoryMiB();
        return new CurveAxis(
                "vcores of a worker",
                useful,
                vcores(useful),
                points.stream()
                        .map(p -> new Measured(p.vcores(), p.samplesPerSecond()))
                        .toList(),
                points.stream().map(ProfileRecord.Point::vcores).toList(),
                vcores -> between(matrix, vcores, memoryMiB));
    }

    /** With the useful vcores, where storage is no limit but for the disk's. */
    static CurveAxis ofMemory(List<ProfileRecord.Point> points, SensitivityMatrix matrix) {
        SensitivityMatrix.Demand useful = matrix.demand(0);
        String reads = useful.storageMBps() > 0 ? ", reading " + useful.storageMBps() + " MB/s from storage" : "";
        return new CurveAxis(
                "MiB of a worker with " + vcores(useful.vcores()),
                useful.memoryMiB(),
                useful.memoryMiB() + " MiB" + reads,
                points.stream()
                        .filter(p -> p.vcores() == useful.vcores() && p.memoryMiB() > 0)
                        .map(p -> new Measured(p.memoryMiB(), p.samplesPerSecond()))
                        .toList(),
                Arrays.stream(matrix.memoryMiB()).boxed().toList(),
                memory -> matrix.at(useful.vcores(), Math.round(memory)));
    }

    /** How far it is drawn. */
    double widest() {
        long tick = ticks.isEmpty() ? 0 : ticks.get(ticks.size() - 1);
        long last = measured.stream().mapToLong(Measured::amount).max().orElse(0);
        return Math.max(2, Math.max(useful, Math.max(tick, last)));
    }

    /** The highest that is drawn, samples/s. */
    double fastest() {
        double seen =
                measured.stream().mapToDouble(Measured::samplesPerSecond).max().orElse(0);
        // Memory that is slower than the disk makes a curve that falls beyond the useful amount.
        double planned = Math.max(speed.applyAsDouble(useful), speed.applyAsDouble(widest()));
        return Math.max(1e-9, Math.max(seen, planned));
    }

    /** At a share of a vcore, on the straight line between whole ones; from 0 at none. */
    private static double between(SensitivityMatrix matrix, double vcores, long memoryMiB) {
        long whole = (long) vcores;
        double low = whole == 0 ? 0 : matrix.at(whole, memoryMiB);
        return low + (vcores - whole) * (matrix.at(whole + 1, memoryMiB) - low);
    }

    private static String vcores(long number) {
        return number + (number == 1 ? " vcore" : " vcores");
    }
}
