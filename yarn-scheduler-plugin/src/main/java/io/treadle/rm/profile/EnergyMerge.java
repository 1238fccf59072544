// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What the GPUs of a job and of earlier jobs of its kind drew, made into one list with each configuration once. */
final class EnergyMerge {
    /** Measurements that differ by more, in speed or draw, are not of one kind of job: the later one stands. */
    private static final double CONTRADICTION = 0.15;

    private EnergyMerge() {}

    /** The points as they can be trusted now, with errors that have grown so many times; the others are left out. */
    static List<EnergyPoint> faded(List<EnergyPoint> points, double growth, double mostError) {
        return growth == 1
                ? points
                : points.stream()
                        .map(p -> p.withError(p.knownError() * growth))
                        .filter(p -> p.error() <= mostError)
                        .toList();
    }

    /** Those of the job's points that it was not given. */
    static List<EnergyPoint> own(List<EnergyPoint> given, List<EnergyPoint> ended) {
        return ended.stream()
                .filter(EnergyPoint::isPossible)
                .filter(p -> !given.contains(p))
                .toList();
    }

    /**
     * @param own what a job has measured
     * @param holdStored whether that holds what is stored already
     */
    static List<EnergyPoint> merged(List<EnergyPoint> stored, List<EnergyPoint> own, boolean holdStored) {
        List<EnergyPoint> all = new ArrayList<>(stored);
        for (EnergyPoint point : own) {
            int at = indexOf(all, point);
            if (at < 0) {
                all.add(point);
            } else {
                EnergyPoint before = all.get(at);
                all.set(at, holdStored || contradict(before, point) ? point : before.refinedBy(point));
            }
        }
        // What was measured longest says most.
        return all.stream()
                .sorted(Comparator.comparingDouble(EnergyPoint::seconds).reversed())
                .limit(ProfileRecord.MOST_POINTS)
                .toList();
    }

    private static int indexOf(List<EnergyPoint> points, EnergyPoint point) {
        for (int i = 0; i < points.size(); i++) {
            if (points.get(i).isLike(point)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean contradict(EnergyPoint before, EnergyPoint now) {
        return differ(before.samplesPerSecond(), now.samplesPerSecond()) || differ(before.watts(), now.watts());
    }

    private static boolean differ(double before, double now) {
        return Math.abs(now / before - 1) > CONTRADICTION;
    }
}
