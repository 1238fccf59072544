// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.record;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.cluster.PowerView;
import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.wire.Fields;
import io.treadle.core.wire.WireFormatException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Power and energy in {@link SnapshotRecord}. What has no limit is left out. */
final class PowerJson {
    private static final double MOST = Double.MAX_VALUE;

    private PowerJson() {}

    static void put(ObjectNode json, PowerView power) {
        putLimit(json, "limitWatts", power.limitWatts());
        putLimit(json, "jobsLimitWatts", power.jobsLimitWatts());
        putLimit(json, "joulesLeft", power.joulesLeft());
        json.put("secondsPerJoule", power.secondsPerJoule())
                .put("nodeWatts", power.nodeWatts())
                .put("idleGpuWatts", power.idleGpuWatts())
                .put("gpuWatts", power.gpuWatts());
        ArrayNode asleep = json.putArray("asleep");
        power.asleep().stream().sorted().forEach(asleep::add);
    }

    private static void putLimit(ObjectNode json, String name, double limit) {
        if (limit < Double.POSITIVE_INFINITY) {
            json.put(name, limit);
        }
    }

    static PowerView power(Fields json) {
        return new PowerView(
                json.number("limitWatts", 0, MOST, Double.POSITIVE_INFINITY),
                json.number("jobsLimitWatts", 0, MOST, Double.POSITIVE_INFINITY),
                json.number("joulesLeft", 0, MOST, Double.POSITIVE_INFINITY),
                json.number("secondsPerJoule", 0, MOST),
                json.number("nodeWatts", 0, MOST),
                json.number("idleGpuWatts", 0, MOST),
                json.number("gpuWatts", 1, MOST),
                Set.copyOf(json.texts("asleep")));
    }

    static void put(ObjectNode json, EnergyProfile energy) {
        json.put("confidence", energy.confidence().name());
        ArrayNode caps = json.putArray("capWatts");
        for (int cap = 0; cap < energy.caps(); cap++) {
            caps.add(energy.capWatts(cap));
        }
        ArrayNode sizes = json.putArray("sizes");
        for (int size = 0; size < energy.sizes(); size++) {
            ObjectNode row = sizes.addObject().put("gpus", energy.gpus(size));
            ArrayNode seconds = row.putArray("seconds");
            ArrayNode watts = row.putArray("watts");
            for (int cap = 0; cap < energy.caps(); cap++) {
                seconds.add(energy.seconds(size, cap));
                watts.add(energy.watts(size, cap));
            }
        }
    }

    static EnergyProfile energy(Fields json) {
        List<Fields> rows = json.objects("sizes");
        double[] caps = json.numbers("capWatts");
        int[] gpus = rows.stream()
                .mapToInt(row -> (int) row.integer("gpus", 1, Integer.MAX_VALUE))
                .toArray();
        double[][] seconds = figures(rows, "seconds", caps.length);
        double[][] watts = figures(rows, "watts", caps.length);
        try {
            return new EnergyProfile(
                    gpus,
                    caps,
                    (n, cap) -> seconds[Arrays.binarySearch(gpus, n)][Arrays.binarySearch(caps, cap)],
                    (n, cap) -> watts[Arrays.binarySearch(gpus, n)][Arrays.binarySearch(caps, cap)],
                    Confidence.valueOf(json.text("confidence")));
        } catch (IllegalArgumentException e) {
            throw new WireFormatException("the energy of a recorded job is none: " + e.getMessage(), e);
        }
    }

    private static double[][] figures(List<Fields> rows, String name, int caps) {
        double[][] figures = rows.stream().map(row -> row.numbers(name)).toArray(double[][]::new);
        for (double[] row : figures) {
            if (row.length != caps) {
                throw new WireFormatException("'" + name + "' of a recorded job has " + row.length
                        + " figures, must be one for each of " + caps + " caps");
            }
        }
        return figures;
    }
}
