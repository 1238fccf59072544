// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What has been measured, by vcores of a worker. A later measurement of a size replaces the earlier one. */
final class ProfilePoints {
    private static final double CHANGED = 0.05;

    private final TreeMap<Long, ProfileRecord.Point> points = new TreeMap<>();

    void putAll(List<ProfileRecord.Point> known) {
        known.forEach(p -> points.put(p.vcores(), p));
    }

    /** Returns whether the point is new or differs from the one before by more than 5 %. */
    boolean put(long vcores, long memoryMiB, RateEstimate estimate) {
        ProfileRecord.Point before = points.put(
                vcores, new ProfileRecord.Point(vcores, memoryMiB, estimate.samplesPerSecond(), estimate.seconds()));
        return before == null
                || Math.abs(before.samplesPerSecond() - estimate.samplesPerSecond())
                        > CHANGED * Math.max(before.samplesPerSecond(), 1e-9);
    }

    Optional<Double> speedAt(long vcores) {
        return Optional.ofNullable(points.get(vcores)).map(ProfileRecord.Point::samplesPerSecond);
    }

    /** At the largest measured size below this one. */
    Optional<Double> speedBelow(long vcores) {
        return Optional.ofNullable(points.lowerEntry(vcores))
                .map(e -> e.getValue().samplesPerSecond());
    }

    List<ProfileRecord.Point> list() {
        return List.copyOf(points.values());
    }
}
