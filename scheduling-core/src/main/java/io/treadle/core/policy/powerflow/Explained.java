// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import io.treadle.core.explain.Reason;
import java.util.Collection;

/** Why jobs have what they have, with numbers. */
final class Explained {
    private final Situation situation;
    private final long gpusTaken;
    private final double watts;

    Explained(Situation situation, Collection<Arrangement.Place> places) {
        this.situation = situation;
        this.gpusTaken =
                places.stream().mapToLong(place -> place.choice().gpus()).sum();
        this.watts =
                situation.draw(places.stream().map(Arrangement.Place::choice).toList());
    }

    Reason of(Arrangement.Place place) {
        Choice choice = place.choice();
        return new Reason.Powered(
                choice.gpus(),
                Math.round(choice.job().energy().capWatts(choice.cap())),
                Math.round(choice.watts()),
                Math.round(watts),
                limit());
    }

    Reason waits(Candidate job) {
        return new Reason.WaitsForPower(
                job.gpus(job.least()), Math.max(0, situation.gpus() - gpusTaken), Math.round(watts), limit());
    }

    /** 0 for none. */
    private long limit() {
        double limit = situation.power().limitWatts();
        return Double.isInfinite(limit) ? 0 : Math.round(limit);
    }
}
