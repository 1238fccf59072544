// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What has been measured, each configuration once. Later measurements refine the earlier ones, and old ones fade. */
final class EnergyPoints {
    /** What is so many measurements old counts for half. */
    private static final double HALF_LIFE = 50;

    private static final double NEWEST = 1 - Math.pow(2, -1 / HALF_LIFE);
    /** Measurements that are off by more, so many in a row, say that the job has changed. */
    private static final double OFF = 0.1;

    private static final int MOST_OFF = 3;
    private static final double LEAST_ERROR = 0.005;
    private static final double CHANGED = 0.05;

    private final List<EnergyPoint> points = new ArrayList<>();
    /** How often in a row a point was contradicted, by the point. */
    private final Map<EnergyPoint, Integer> off = new HashMap<>();

    void putAll(List<EnergyPoint> known) {
        known.stream().filter(EnergyPoint::isPossible).forEach(points::add);
    }

    void clear() {
        points.clear();
        off.clear();
    }

    List<EnergyPoint> list() {
        return List.copyOf(points);
    }

    /** The caps that are known at so many GPUs and so many samples of a pass of all of them. */
    double[] capsAt(int gpus, long batch) {
        return points.stream()
                .filter(p -> p.gpus() == gpus && p.batch() == batch)
                .mapToDouble(EnergyPoint::capWatts)
                .distinct()
                .toArray();
    }

    /** Whether so many caps are known at another number of GPUs. */
    boolean areKnownBeside(int gpus, int caps) {
        return points.stream()
                .filter(p -> p.gpus() != gpus)
                .collect(Collectors.groupingBy(
                        EnergyPoint::gpus, Collectors.mapping(EnergyPoint::capWatts, Collectors.toSet())))
                .values()
                .stream()
                .anyMatch(known -> known.size() >= caps);
    }

    /** Returns whether that is news: a new point, one moved by more than 5 %, or one measured twice as often. */
    boolean add(EnergyPoint now) {
        for (int i = 0; i < points.size(); i++) {
            EnergyPoint before = points.get(i);
            if (before.isLike(now)) {
                EnergyPoint after = refined(before, now);
                points.set(i, after);
                return differ(before, after, CHANGED) || Long.bitCount(after.count()) == 1;
            }
        }
        if (points.size() == ProfileRecord.MOST_POINTS) {
            points.remove(points.stream()
                    .min(Comparator.comparingDouble(EnergyPoint::seconds))
                    .orElseThrow());
        }
        points.add(now);
        return true;
    }

    private EnergyPoint refined(EnergyPoint before, EnergyPoint now) {
        int contradicted = off.getOrDefault(before, 0);
        off.remove(before);
        if (!differ(before, now, OFF)) {
            return blended(before, now);
        }
        if (contradicted + 1 >= MOST_OFF) {
            return now;
        }
        off.put(before, contradicted + 1);
        return before;
    }

    private static EnergyPoint blended(EnergyPoint before, EnergyPoint now) {
        double part = Math.max(NEWEST, 1.0 / (before.count() + 1));
        return new EnergyPoint(
                before.gpus(),
                before.nodes(),
                before.batch(),
                before.passes(),
                before.capWatts(),
                before.samplesPerSecond() + part * (now.samplesPerSecond() - before.samplesPerSecond()),
                before.watts() + part * (now.watts() - before.watts()),
                before.seconds() + now.seconds(),
                Math.max(LEAST_ERROR, Math.hypot((1 - part) * before.knownError(), part * now.knownError())),
                before.count() + 1);
    }

    private static boolean differ(EnergyPoint one, EnergyPoint other, double part) {
        return Math.abs(other.samplesPerSecond() / one.samplesPerSecond() - 1) > part
                || Math.abs(other.watts() / one.watts() - 1) > part;
    }
}
