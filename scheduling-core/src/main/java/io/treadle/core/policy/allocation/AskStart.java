// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Ledger;
import io.treadle.core.resource.ResourceVector;
import java.util.List;

/**
 * Starts jobs with what they ask for where their queue or user may hold that but not their share: they would wait though
 * nothing is in their way. Later rounds raise them as far as there is room.
 */
final class AskStart {
    private AskStart() {}

    /** False, and nothing changed, if the job may have its share or not even that. */
    static boolean tryStart(Round round, JobView job) {
        List<TaskGroup> missing = Round.missing(job);
        Sizes sizes = round.sizes();
        if (sizes.areAsAsked() || job.running() || missing.isEmpty()) {
            return false;
        }
        Ledger ledger = round.ledger();
        ResourceVector limit =
                ledger.userFree(job.id()).map(ledger.queueFree()::min).orElse(ledger.queueFree());
        ResourceVector asks = missing.stream().map(TaskGroup::ask).reduce(ResourceVector.ZERO, ResourceVector::plus);
        ResourceVector shares = missing.stream()
                .map(group -> leastShare(round, job, group))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        // What is kept free for others is kept from shares alone.
        if (!asks.fitsIn(limit) || shares.fitsIn(limit.minus(ledger.keptFree()))) {
            return false;
        }
        // One that asks for GPUs alone, as in a trace, does nothing with that: it gets an even part of what there is.
        ResourceVector part = asks.vcores() == 0 ? limit.share(1, missing.size()) : ResourceVector.ZERO;
        return round.tryGrant(
                job,
                (group, node) -> sizes.share(job, group, node)
                        .min(part)
                        .max(group.ask())
                        .withGpus(group.ask().gpus()),
                Grant.Level.ASK);
    }

    private static ResourceVector leastShare(Round round, JobView job, TaskGroup group) {
        return round.ledger().nodes().stream()
                .filter(node -> node.open() && !job.avoidedNodes().contains(node.id()))
                .filter(node -> node.capacity().gpus() >= group.ask().gpus())
                .map(node -> round.sizes().share(job, group, node))
                .reduce(ResourceVector::min)
                .orElse(group.ask());
    }
}
