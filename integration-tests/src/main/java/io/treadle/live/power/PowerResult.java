// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.core.wire.ProfileRecord;
import io.treadle.demo.DemoResult;
import io.treadle.simulator.bench.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A mix under a budget, live and as foretold.
 *
 * @param mix what was run
 * @param machine as it was before the cluster started
 * @param profiles what was known of the models when the mix began, by model tag
 * @param learned of the jobs by which they became known
 * @param live of the mix
 * @param foretold of the mix
 */
record PowerResult(
        PowerMix mix,
        Machine machine,
        Map<String, ProfileRecord> profiles,
        PowerOutcome learned,
        PowerOutcome live,
        PowerForecast.Word foretold) {
    static final double MOST_ERROR = 0.15;
    static final double MOST_OVER = 0.02;

    /** Of the mean time from submission to end, live against foretold. */
    double jctError() {
        return live.meanJctSeconds() / foretold.meanJctSeconds() - 1;
    }

    /** Of the energy of all jobs' GPUs, live against foretold. */
    double joulesError() {
        return live.allJoules() / foretold.allJoules() - 1;
    }

    double liveMostWatts() {
        return PowerWatch.highestMinute(live.samples());
    }

    /** A line for each goal that was missed. */
    List<String> missed() {
        List<String> missed = new ArrayList<>();
        if (!mix.judged()) {
            return missed;
        }
        if (Math.abs(jctError()) > MOST_ERROR) {
            missed.add(String.format(
                    Locale.ROOT,
                    "mean completion time is %+.1f %% from what the simulator foretells, must be within 15 %%",
                    jctError() * 100));
        }
        if (Math.abs(joulesError()) > MOST_ERROR) {
            missed.add(String.format(
                    Locale.ROOT,
                    "the jobs' energy is %+.1f %% from what the simulator foretells, must be within 15 %%",
                    joulesError() * 100));
        }
        if (liveMostWatts() > mix.budgetWatts() * (1 + MOST_OVER)) {
            missed.add(String.format(
                    Locale.ROOT,
                    "the nodes draw %.0f W in a minute under a budget of %.0f W, must be at most 2 %% over it",
                    liveMostWatts(),
                    mix.budgetWatts()));
        }
        return missed;
    }

    /** Jobs that did not succeed, a line each. */
    List<String> failed() {
        return Stream.concat(learned.jobs().stream(), live.jobs().stream())
                .filter(job -> !job.succeeded())
                .map(job -> job.name() + " ended as " + job.finalStatus())
                .toList();
    }

    /** Pauses of all jobs whenever they got other GPUs, s, the shortest first. */
    List<Double> pauses() {
        return Stream.concat(learned.pauses().stream(), live.pauses().stream())
                .sorted()
                .toList();
    }

    PowerForecast.Foretold foretold(DemoResult.Job job) {
        return foretold.jobs().getOrDefault(job.name(), new PowerForecast.Foretold(Double.NaN, Double.NaN));
    }
}
