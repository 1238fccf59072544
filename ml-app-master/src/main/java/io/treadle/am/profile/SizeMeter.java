// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import java.util.Optional;

/** Measures a job while it stays at one size: begins anew whenever the size or the gang's start changes. */
final class SizeMeter {
    private final ProfileSettings settings;
    private long vcores = -1;
    private int start = -1;
    private double fromSeconds;

    SizeMeter(ProfileSettings settings) {
        this.settings = settings;
    }

    /** Begins anew at the next observation. */
    void restart() {
        vcores = -1;
    }

    /** Since when the job has been at its size and settled. */
    double fromSeconds() {
        return fromSeconds;
    }

    /**
     * The speed at the present size once it is known well enough: after the shortest time when the noise is low, else
     * after the longest.
     */
    Optional<RateEstimate> observe(Observation now, double atLeastSeconds) {
        if (!now.running() || !now.everyoneReports()) {
            restart();
            return Optional.empty();
        }
        if (now.vcores() != vcores || now.start() != start) {
            vcores = now.vcores();
            start = now.start();
            fromSeconds = now.seconds() + settings.settleSeconds();
        }
        double elapsed = now.seconds() - fromSeconds;
        if (elapsed < atLeastSeconds) {
            return Optional.empty();
        }
        Optional<RateEstimate> estimate = RateEstimate.over(now.workers(), fromSeconds);
        boolean precise = estimate.isPresent()
                && estimate.get().relativeError() <= settings.targetError()
                && estimate.get().seconds() >= 0.5 * atLeastSeconds;
        return precise || elapsed >= settings.stepMaxSeconds() ? estimate : Optional.empty();
    }
}
