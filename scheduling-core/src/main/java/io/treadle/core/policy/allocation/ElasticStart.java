// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.TaskSizer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Lets elastic jobs that start in this round start with more tasks than they need, in the order in which jobs are served,
 * up to their maxima. Only what nobody waits for is given out: a job that has started does not shrink again.
 */
final class ElasticStart {
    private ElasticStart() {}

    /** @param sizers how tasks of a job are sized that was granted so */
    static void grow(Round round, Iterable<JobView> ordered, Function<Grant, TaskSizer> sizers) {
        List<JobView> elastic = new ArrayList<>();
        for (JobView job : ordered) {
            if (!job.running() && job.isElastic()) {
                elastic.add(job);
            }
        }
        if (elastic.isEmpty()) {
            return;
        }
        for (JobView job : ordered) {
            if (round.grant(job).isEmpty() || !isWhole(round, job)) {
                return;
            }
        }
        for (JobView job : elastic) {
            // One that could not even have its share is to get that first.
            if (round.grant(job).orElseThrow().level() != Grant.Level.ASK) {
                for (TaskGroup group : job.groups()) {
                    grow(round, job, group, sizers);
                }
            }
        }
    }

    private static boolean isWhole(Round round, JobView job) {
        // A gang that was granted is whole, unless it runs and was left with what it had.
        if (!job.running()) {
            return true;
        }
        // Tasks on nodes that the snapshot does not have are part of it.
        return job.groups().stream().allMatch(group -> starting(round, job, group) >= job.missing(group));
    }

    private static long starting(Round round, JobView job, TaskGroup group) {
        return round.grant(job).stream()
                .flatMap(grant -> grant.tasks().stream())
                .filter(task -> task.isOf(group) && task.runningId().isEmpty())
                .count();
    }

    private static long tasks(Round round, JobView job, TaskGroup group) {
        return round.grant(job).stream()
                .flatMap(grant -> grant.tasks().stream())
                .filter(task -> task.isOf(group))
                .count();
    }

    private static void grow(Round round, JobView job, TaskGroup group, Function<Grant, TaskSizer> sizers) {
        TaskSizer sizer = sizers.apply(round.grant(job).orElseThrow());
        for (long tasks = tasks(round, job, group); tasks < group.max(); tasks++) {
            if (!round.tryMore(job, group, sizer)) {
                return;
            }
        }
    }
}
