// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.Policy;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * When a policy is asked that stops jobs: as something came, went or changed, and else only after its interval, so that what
 * jobs lose by a stop pays off before the next. Of one queue, used by the planner thread but where a method says otherwise.
 */
final class Pace {
    /** Budgets that differ by less change nothing. */
    private static final double LEAST_CHANGE = 0.01;

    private static final long AGAIN_MS = 5_000;

    private record Job(
            String id, List<String> tasks, boolean profiling, int sizes, Optional<LayeredPsModel> servers, int most) {
        static Job of(JobView job) {
            return new Job(
                    job.id(),
                    job.tasks().stream().map(RunningTask::id).sorted().toList(),
                    job.profiling(),
                    job.energy().map(energy -> energy.sizes()).orElse(0),
                    job.sizing().model(),
                    job.groups().stream().mapToInt(group -> group.max()).sum());
        }
    }

    /**
     * @param givesBack whether other queues wait, and servers have what only the idle may have
     * @param overfull whether the jobs hold more than their queue may
     * @param startable ids of jobs that wait although there is room for them
     */
    private record Seen(
            String policy,
            List<String> nodes,
            List<Job> jobs,
            boolean givesBack,
            boolean overfull,
            Set<String> startable,
            double limitWatts,
            double jobsLimitWatts) {
        static Seen of(Policy policy, Snapshot snapshot) {
            RoomForWaiting room = new RoomForWaiting(snapshot);
            return new Seen(
                    policy.name(),
                    snapshot.nodes().stream()
                            .filter(NodeView::open)
                            .map(NodeView::id)
                            .toList(),
                    snapshot.jobs().stream().map(Job::of).toList(),
                    snapshot.queue().othersWait()
                            && snapshot.jobs().stream()
                                    .anyMatch(job -> job.sizing().servers().isPresent()),
                    room.isOverfull(),
                    room.startable(),
                    snapshot.power().map(PowerView::limitWatts).orElse(0.0),
                    snapshot.power().map(PowerView::jobsLimitWatts).orElse(0.0));
        }

        /** Whether nothing has come since the other that a policy could use, and nothing has gone or changed. */
        boolean isLike(Seen other) {
            return policy.equals(other.policy)
                    && nodes.equals(other.nodes)
                    && jobs.equals(other.jobs)
                    && givesBack == other.givesBack
                    && overfull == other.overfull
                    && other.startable.containsAll(startable)
                    && isNear(limitWatts, other.limitWatts)
                    && isNear(jobsLimitWatts, other.jobsLimitWatts);
        }

        private static boolean isNear(double a, double b) {
            // By the smaller: no limit at all is near to none.
            return a == b || Math.abs(a - b) <= LEAST_CHANGE * Math.min(a, b);
        }
    }

    private Optional<Seen> seen = Optional.empty();
    /** Whether the settings have changed since the policy was last asked. */
    private volatile boolean refreshed;

    private List<Decision> resizes = List.of();
    private long plannedMs;

    /** Something that was decided had no room: it is planned anew soon. */
    void refused(Policy policy) {
        plannedMs = Math.min(plannedMs, plannedMs - policy.intervalMs() + AGAIN_MS);
    }

    /** The queues' settings are new, and with them limits. Safe for use by several threads. */
    void refreshed() {
        refreshed = true;
    }

    /** Whether the policy is to plan now. */
    boolean isDue(Policy policy, Snapshot snapshot) {
        if (refreshed) {
            // A refresh that comes while the policy plans is seen afterwards.
            refreshed = false;
            seen = Optional.empty();
        }
        return !policy.stopsJobs()
                || seen.isEmpty()
                || snapshot.nowMs() - plannedMs >= policy.intervalMs()
                || !Seen.of(policy, snapshot).isLike(seen.get());
    }

    void planned(Policy policy, Snapshot snapshot, Plan plan) {
        seen = Optional.of(Seen.of(policy, snapshot));
        plannedMs = snapshot.nowMs();
        resizes = plan.decisions().stream()
                .filter(decision -> decision instanceof Decision.Resize)
                .toList();
    }

    /** Sizes that were decided last: a resize that was in another's way is tried again. */
    Plan resizes() {
        return new Plan(resizes);
    }
}
