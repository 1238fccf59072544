// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.demo.DemoResult;
import java.util.List;

/**
 * The mix under one policy, as it was run.
 *
 * @param jobs by arrival
 * @param startUp what jobs cost beyond training, mean over them
 */
record Mixed(String policy, List<DemoResult.Job> jobs, StartUp startUp) {
    Mixed {
        jobs = List.copyOf(jobs);
    }

    double meanJctSeconds() {
        return jobs.stream().mapToDouble(DemoResult.Job::jctSeconds).average().orElseThrow();
    }
}
