// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A job of a trace.
 *
 * @param id the trace's own
 * @param queue the queue, virtual cluster or partition; empty where the trace has none
 * @param submitMs ms since the trace's zero
 * @param groups its task groups
 * @param work what it has to do
 * @param profile its speed over CPU and memory of a task, 1 at the share; where the trace knows it
 * @param foretoldSeconds its run time as history foretells it
 */
public record TraceJob(
        String id,
        String queue,
        long submitMs,
        List<TaskGroup> groups,
        Work work,
        Optional<SensitivityMatrix> profile,
        OptionalDouble foretoldSeconds) {
    public TraceJob {
        groups = List.copyOf(groups);
    }

    /** The same job under another name, submitted at another time. */
    TraceJob named(String newId, long newSubmitMs) {
        return new TraceJob(newId, queue, newSubmitMs, groups, work, profile, foretoldSeconds);
    }

    public long gpus() {
        return groups.stream().mapToLong(g -> g.min() * g.ask().gpus()).sum();
    }

    /** The same job, come at another time. */
    public TraceJob submittedAt(long ms) {
        return new TraceJob(id, queue, ms, groups, work, profile, foretoldSeconds);
    }
}
