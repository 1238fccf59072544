// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.job.TaskGroup;
import java.util.List;

/** Jobs for tests of other packages. */
public final class WorkedJobs {
    private WorkedJobs() {}

    public static TraceJob job(String id, long submitMs, List<TaskGroup> groups, Work work) {
        return TraceJob.of(id, "", submitMs, groups, work);
    }
}
