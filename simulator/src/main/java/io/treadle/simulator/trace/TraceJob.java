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
 * @param user whose it is; empty where the trace does not say
 * @param submitMs ms since the trace's zero
 * @param groups its task groups
 * @param work what it has to do
 * @param profile its speed over CPU and memory of a task, 1 at the share; where the trace knows it
 * @param foretoldSeconds its run time as history foretells it
 * @param history when it really ran, where the trace knows it
 */
public record TraceJob(
        String id,
        String queue,
        String user,
        long submitMs,
        List<TaskGroup> groups,
        Work work,
        Optional<SensitivityMatrix> profile,
        OptionalDouble foretoldSeconds,
        Optional<History> history) {
    public TraceJob {
        groups = List.copyOf(groups);
    }

    /** The same job under another name, submitted at another time. */
    TraceJob named(String newId, long newSubmitMs) {
        return new TraceJob(newId, queue, user, newSubmitMs, groups, work, profile, foretoldSeconds, history);
    }

    /** One of which no user and no history is known. */
    public TraceJob(
            String id,
            String queue,
            long submitMs,
            List<TaskGroup> groups,
            Work work,
            Optional<SensitivityMatrix> profile,
            OptionalDouble foretoldSeconds) {
        this(id, queue, "", submitMs, groups, work, profile, foretoldSeconds, Optional.empty());
    }

    /** One that is no more than its size and its work. */
    static TraceJob of(String id, String queue, long submitMs, List<TaskGroup> groups, Work work) {
        return new TraceJob(id, queue, submitMs, groups, work, Optional.empty(), OptionalDouble.empty());
    }

    TraceJob ofUser(String newUser) {
        return new TraceJob(id, queue, newUser, submitMs, groups, work, profile, foretoldSeconds, history);
    }

    TraceJob foretold(OptionalDouble seconds) {
        return new TraceJob(id, queue, user, submitMs, groups, work, profile, seconds, history);
    }

    TraceJob that(Optional<History> ran) {
        return new TraceJob(id, queue, user, submitMs, groups, work, profile, foretoldSeconds, ran);
    }

    /** The same on a clock whose zero is so much later. */
    TraceJob earlier(long ms) {
        return new TraceJob(
                id,
                queue,
                user,
                submitMs - ms,
                groups,
                work,
                profile,
                foretoldSeconds,
                history.map(ran -> ran.earlier(ms)));
    }

    public long gpus() {
        return groups.stream().mapToLong(g -> g.min() * g.ask().gpus()).sum();
    }

    /** The same job, come at another time. */
    public TraceJob submittedAt(long ms) {
        return new TraceJob(id, queue, user, ms, groups, work, profile, foretoldSeconds, history);
    }
}
