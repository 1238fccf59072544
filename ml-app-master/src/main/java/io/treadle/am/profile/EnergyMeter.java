// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.wire.EnergyPoint;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Measures a job while it stays in one configuration: begins anew whenever that or the gang's start changes. */
final class EnergyMeter {
    /** After a cap has come into force, or anything else has changed. */
    static final double SETTLE_SECONDS = 2;
    /** So much longer it measures where the job is noisy. */
    static final double MOST_MORE_SECONDS = 30;

    private static final double PRECISE = 0.03;
    /** What is known no better says nothing: progress that jumps, for example. */
    private static final double USELESS = 0.5;
    /** Part of the window that energy must be known of: nodes read it every few seconds. */
    private static final double LEAST_METERED = 0.5;

    private @Nullable EnergyObservation of;
    private double fromSeconds;

    /** Begins anew at the next observation. */
    void restart() {
        of = null;
    }

    /** The configuration's speed and draw as soon as they are known well enough, and then goes on with the next window. */
    Optional<EnergyPoint> observe(EnergyObservation now, double atLeastSeconds) {
        if (!now.running() || !now.isMetered()) {
            restart();
            return Optional.empty();
        }
        if (of == null || !now.isLike(of)) {
            of = now;
            fromSeconds = now.seconds() + SETTLE_SECONDS;
        }
        double elapsed = now.seconds() - fromSeconds;
        if (elapsed < atLeastSeconds) {
            return Optional.empty();
        }
        Optional<EnergyPoint> point = point(now, elapsed, atLeastSeconds);
        boolean late = elapsed >= atLeastSeconds + MOST_MORE_SECONDS;
        if (point.isPresent() && point.get().error() > PRECISE && !late) {
            return Optional.empty();
        }
        if (point.isPresent() || late) {
            fromSeconds = now.seconds();
        }
        return point.filter(p -> p.isPossible() && p.error() <= USELESS);
    }

    private Optional<EnergyPoint> point(EnergyObservation now, double elapsed, double atLeastSeconds) {
        Optional<RateEstimate> rate = RateEstimate.over(now.samples(), fromSeconds);
        if (rate.isEmpty()) {
            return Optional.empty();
        }
        double watts = 0;
        for (EnergySeries worker : now.energy()) {
            OptionalDouble own = worker.wattsFrom(fromSeconds, LEAST_METERED * Math.min(elapsed, atLeastSeconds));
            if (own.isEmpty()) {
                return Optional.empty();
            }
            watts += own.getAsDouble();
        }
        return Optional.of(new EnergyPoint(
                now.gpus(),
                now.nodes(),
                now.batch(),
                Math.max(1, now.passes()),
                Math.rint(now.lowestCapWatts()),
                rate.get().samplesPerSecond(),
                watts,
                rate.get().seconds(),
                rate.get().relativeError(),
                1));
    }
}
