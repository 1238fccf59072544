// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.core.wire.ProfileRecord;
import io.treadle.simulator.bench.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * All that came out.
 *
 * @param judged whether it is held to the goals
 * @param machine as it was before the cluster started
 * @param profiles by model tag
 * @param mixes of the baseline and of ours, in this order
 * @param foretold by policy and job, seconds from submission to end
 */
record LiveResult(
        boolean judged,
        Machine machine,
        Map<String, ProfileRecord> profiles,
        List<Curve> curves,
        List<Mixed> mixes,
        Map<String, Map<String, Double>> foretold) {
    static final double MOST_RATIO_ERROR = .15;
    static final double MOST_DIFFERENCE = .05;
    static final double MOST_COSTS = .2;

    LiveResult {
        curves = List.copyOf(curves);
        mixes = List.copyOf(mixes);
    }

    Mixed baseline() {
        return mixes.get(0);
    }

    Mixed ours() {
        return mixes.get(1);
    }

    /** From submission to end. */
    double foretoldSeconds(Mixed mix, String job) {
        return Objects.requireNonNull(
                Objects.requireNonNull(foretold.get(mix.policy()), mix.policy()).get(job), job);
    }

    double foretoldMeanSeconds(Mixed mix) {
        return mix.jobs().stream()
                .mapToDouble(job -> foretoldSeconds(mix, job.name()))
                .average()
                .orElseThrow();
    }

    /** How much sooner jobs are done under ours. */
    double ratio() {
        return baseline().meanJctSeconds() / ours().meanJctSeconds();
    }

    double foretoldRatio() {
        return foretoldMeanSeconds(baseline()) / foretoldMeanSeconds(ours());
    }

    /** Of the live ratio from the one that was foretold, relative to that. */
    double ratioError() {
        return ratio() / foretoldRatio() - 1;
    }

    /** A line for each goal that was missed. */
    List<String> missed() {
        List<String> missed = new ArrayList<>();
        if (!judged) {
            return missed;
        }
        if (Math.abs(ratioError()) > MOST_RATIO_ERROR) {
            missed.add(String.format(
                    Locale.ROOT,
                    "the live ratio is %+.1f %% from the one that the simulator foretells, must be within 15 %%",
                    ratioError() * 100));
        }
        for (Curve curve : curves) {
            if (curve.largestDifference() > MOST_DIFFERENCE) {
                missed.add(String.format(
                        Locale.ROOT,
                        "the profile of %s is up to %.1f %% from what was measured, must be within 5 %%",
                        curve.kind(),
                        curve.largestDifference() * 100));
            }
            if (curve.costs() > MOST_COSTS) {
                missed.add(String.format(
                        Locale.ROOT,
                        "the profile of %s takes 1/%.1f of the time that measuring it takes, must be at most 1/5",
                        curve.kind(),
                        1 / curve.costs()));
            }
        }
        return missed;
    }

    /** Jobs that did not succeed, a line each. */
    List<String> failed() {
        return mixes.stream()
                .flatMap(mix -> mix.jobs().stream())
                .filter(job -> !job.succeeded())
                .map(job -> job.name() + " under " + job.policy() + " ended as " + job.finalStatus())
                .toList();
    }
}
