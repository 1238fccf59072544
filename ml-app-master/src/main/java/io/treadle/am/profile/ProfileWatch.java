// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Refines a profile by what the job does later, and notices where it is no longer that job's. Measurements that may be
 * more than noise are held back until it is known: else the profile would follow a drift and hide it.
 */
final class ProfileWatch {
    private static final int MOST_HELD = 64;

    private record Held(Conditions with, RateEstimate estimate) {}

    private final ProfilePoints points;
    private final DriftDetector drift;
    private final Deque<Held> held = new ArrayDeque<>();

    /** @param smallestDrift the smallest lasting relative difference that counts */
    ProfileWatch(ProfilePoints points, double smallestDrift) {
        this.points = points;
        this.drift = new DriftDetector(smallestDrift);
    }

    /** Returns whether the points are news. */
    boolean add(Conditions with, RateEstimate estimate) {
        Optional<ProfilePoints.Expected> expected = points.expectedAt(with);
        if (expected.isPresent()) {
            double difference = expected.get().differenceOf(estimate.samplesPerSecond());
            if (expected.get().isExact() || difference != 0) {
                drift.add(difference, estimate.relativeError(), expected.get().error());
            }
        }
        held.add(new Held(with, estimate));
        boolean news = false;
        while (!held.isEmpty() && (!drift.isSuspicious() || held.size() > MOST_HELD)) {
            Held oldest = held.remove();
            news |= points.add(oldest.with(), oldest.estimate());
        }
        if (points.forgetDisturbed(with)) {
            // What contradicted the forgotten ones contradicts nothing any more.
            restart();
            news = true;
        }
        return news;
    }

    /** Whether the job has contradicted its profile for longer than noise explains. */
    boolean hasDrifted() {
        return drift.hasFound();
    }

    void restart() {
        held.clear();
        drift.restart();
    }
}
