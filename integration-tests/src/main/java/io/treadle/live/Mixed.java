// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.demo.DemoResult;
import java.util.List;

/**
 * The mix under one policy, as it was run.
 *
 * @param jobs by arrival
 * @param startUps what each cost beyond training, in the same order
 */
record Mixed(String policy, List<DemoResult.Job> jobs, List<StartUp> startUps) {
    Mixed {
        jobs = List.copyOf(jobs);
        startUps = List.copyOf(startUps);
    }

    double meanJctSeconds() {
        return jobs.stream().mapToDouble(DemoResult.Job::jctSeconds).average().orElseThrow();
    }
}
