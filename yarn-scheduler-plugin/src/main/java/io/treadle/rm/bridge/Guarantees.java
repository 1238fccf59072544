// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * How queues stand to what they are guaranteed of one partition. As in YARN's preemption, what a queue is guaranteed its children may
 * share as they like while those of another queue have what theirs is guaranteed.
 *
 * @param all what the partition has
 */
record Guarantees(String partition, ResourceVector all) {
    /**
     * Whether a gang that needs so much is owed it: with it, and with what others of its queue hold that come before it, the
     * queue has no more than its guarantee. What plain applications hold that come after it in the queue does not count.
     *
     * @param before plain applications of its queue that come before it; see {@link QueueOrder#servedBefore}
     */
    boolean owe(FiCaSchedulerApp app, Set<ApplicationId> before, ResourceVector need) {
        CSQueue queue = app.getCSLeafQueue();
        ResourceVector held = QueueLimits.used(queue, partition)
                .minus(heldByLaterPlainApplications(app, before))
                .max(ResourceVector.ZERO);
        return need.plus(held).where(need).fitsIn(QueueLimits.guarantee(queue, partition));
    }

    /** What plain applications of the gang's queue hold that come after it. */
    ResourceVector heldByLaterPlainApplications(FiCaSchedulerApp app, Set<ApplicationId> before) {
        return heldByPlain(app, other -> !before.contains(other.getApplicationId()));
    }

    /** The same of the gang's own user. */
    ResourceVector heldByLaterPlainOfItsUser(FiCaSchedulerApp app, Set<ApplicationId> before) {
        return heldByPlain(
                app, other -> other.getUser().equals(app.getUser()) && !before.contains(other.getApplicationId()));
    }

    private ResourceVector heldByPlain(FiCaSchedulerApp app, Predicate<FiCaSchedulerApp> counts) {
        return app.getCSLeafQueue().getApplications().stream()
                .filter(other -> Foreign.isPlain(other) && counts.test(other))
                .map(other ->
                        YarnResources.vector(other.getAppAttemptResourceUsage().getUsed(partition)))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    /** What the queue has above its guarantee, and its children have above theirs. */
    ResourceVector beyond(CSQueue queue) {
        ResourceVector beyond = QueueLimits.used(queue, partition)
                .minus(QueueLimits.guarantee(queue, partition))
                .max(ResourceVector.ZERO);
        List<CSQueue> children = queue.getChildQueues();
        return children == null
                ? beyond
                : children.stream()
                        .map(this::beyond)
                        .reduce(ResourceVector.ZERO, ResourceVector::plus)
                        .min(beyond);
    }

    /**
     * Whether a leaf queue still has more than it may claim from another when it has given up so much: it has more than its guarantee,
     * and so has each queue above it that is not above the other one.
     *
     * @param givenUp what leaf queues give up, by path
     */
    boolean isOver(CSQueue leaf, CSQueue other, Map<String, ResourceVector> givenUp) {
        return QueueLimits.apart(leaf, other).allMatch(level -> {
            ResourceVector held = QueueLimits.used(level, partition).minus(QueueLimits.below(level, givenUp));
            return dominant(held) > dominant(QueueLimits.guarantee(level, partition)) + 1e-9;
        });
    }

    /**
     * Whether the leaf queue has more than its guarantee by a larger part of it than YARN's preemption overlooks.
     *
     * @param overlooked fraction of the guarantee
     */
    boolean isWorthPreempting(CSQueue leaf, double overlooked) {
        return dominant(QueueLimits.used(leaf, partition))
                > dominant(QueueLimits.guarantee(leaf, partition)) * (1 + overlooked) + 1e-9;
    }

    private double dominant(ResourceVector part) {
        return Math.max(
                Math.max(
                        Math.max(ratio(part.gpus(), all.gpus()), ratio(part.vcores(), all.vcores())),
                        Math.max(
                                ratio(part.memoryMiB(), all.memoryMiB()),
                                ratio(part.gpuMemoryMiB(), all.gpuMemoryMiB()))),
                Math.max(ratio(part.storageMBps(), all.storageMBps()), ratio(part.watts(), all.watts())));
    }

    private static double ratio(long part, long whole) {
        return whole <= 0 ? 0 : (double) part / whole;
    }
}
