// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import java.util.Optional;

/** Measures a job while it stays at one size: begins anew whenever what it has or the gang's start changes. */
final class SizeMeter {
    /** Fewer reports say more about their own timing than about the job. */
    private static final int LEAST_REPORTS = 4;
    /** A size of which so little is known after the longest time is measured for twice that: something has disturbed it. */
    private static final double UNKNOWN = 0.1;

    private final ProfileSettings settings;
    private final NoiseEstimate noise = new NoiseEstimate();
    private Optional<Conditions> with = Optional.empty();
    private int start = -1;
    private double fromSeconds;

    SizeMeter(ProfileSettings settings) {
        this.settings = settings;
    }

    /** Begins anew at the next observation. */
    void restart() {
        with = Optional.empty();
    }

    /** Measures on from here: the job stays as it is. */
    void next(Observation now) {
        with = Optional.of(now.with());
        fromSeconds = now.seconds();
    }

    /**
     * The speed at the present size as soon as it is known well enough, by what is known of the job's noise; after the
     * longest time, or twice that, at any rate.
     */
    Optional<RateEstimate> observe(Observation now, double atLeastSeconds) {
        if (!now.running() || !now.everyoneReports()) {
            restart();
            return Optional.empty();
        }
        if (with.filter(now.with()::isAsGoodAs).isEmpty() || now.start() != start) {
            with = Optional.of(now.with());
            start = now.start();
            fromSeconds = now.seconds() + settings.settleSeconds();
        }
        double elapsed = now.seconds() - fromSeconds;
        if (elapsed < atLeastSeconds) {
            return Optional.empty();
        }
        Optional<RateEstimate> window = RateEstimate.over(now.workers(), fromSeconds);
        if (window.isEmpty()) {
            return window;
        }
        boolean precise = noise.isWithin(settings.targetError(), window.get())
                && window.get().reports() >= LEAST_REPORTS
                && window.get().seconds() >= 0.5 * atLeastSeconds;
        double error = noise.errorOf(window.get());
        double longest = error > UNKNOWN ? 2 * settings.stepMaxSeconds() : settings.stepMaxSeconds();
        if (!precise && elapsed < longest) {
            return Optional.empty();
        }
        noise.add(window.get());
        return Optional.of(window.get().withError(error));
    }
}
