// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.core.wire.ProfileRecord;
import io.treadle.demo.DemoResult;
import io.treadle.live.StartUp;
import java.util.List;
import java.util.Map;

/**
 * What a mix of jobs did.
 *
 * @param jobs by arrival
 * @param startUps what each cost beyond waiting and training, in the same order
 * @param pauses for how long jobs trained not whenever they got other GPUs, s
 * @param joules of each job's GPUs, by the job's name, J
 * @param samples what was drawn, once a second
 * @param profiles what is kept of the jobs' models, by model tag
 */
record PowerOutcome(
        List<DemoResult.Job> jobs,
        List<StartUp> startUps,
        List<Double> pauses,
        Map<String, Double> joules,
        List<PowerWatch.Sample> samples,
        Map<String, ProfileRecord> profiles) {
    double meanJctSeconds() {
        return jobs.stream().mapToDouble(DemoResult.Job::jctSeconds).average().orElseThrow();
    }

    double allJoules() {
        return joules.values().stream().mapToDouble(of -> of).sum();
    }
}
