// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a job's time goes to beside waiting for GPUs and training.
 *
 * @param registerSeconds from submission to when its ApplicationMaster asks for workers
 * @param idleSeconds that it holds its GPUs and trains not: workers start, and end
 * @param farewellSeconds from the end of its workers to its own
 */
public record StartUp(double registerSeconds, double idleSeconds, double farewellSeconds) {
    public static StartUp mean(List<StartUp> jobs) {
        return new StartUp(
                mean(jobs, StartUp::registerSeconds),
                mean(jobs, StartUp::idleSeconds),
                mean(jobs, StartUp::farewellSeconds));
    }

    private static double mean(List<StartUp> jobs, ToDoubleFunction<StartUp> of) {
        return jobs.stream().mapToDouble(of).average().orElseThrow();
    }
}
