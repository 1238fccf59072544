// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
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
     * The lowest queue whose guarantee covers a gang that needs so much: its own, or one above it and below the root. With it, and
     * with what others there hold that come before it, the queue has no more than its guarantee. What plain applications hold that
     * come after it in its own queue does not count. Empty where it is owed nothing.
     *
     * @param before plain applications of its queue that come before it; see {@link QueueOrder#servedBefore}
     */
    Optional<CSQueue> owing(FiCaSchedulerApp app, Set<ApplicationId> before, ResourceVector need) {
        return owing(app, before, need, level -> ResourceVector.ZERO);
    }

    /**
     * The same where room is yet to be reserved for it, which others below a queue above it may have a better claim to: those for whom
     * room is reserved, and those that wait for what their own queues are guaranteed. The rest goes to who asks, as in YARN's
     * preemption.
     *
     * @param reserved for other gangs in this partition
     */
    Optional<CSQueue> owing(
            FiCaSchedulerApp app,
            Set<ApplicationId> before,
            ResourceVector need,
            Map<FiCaSchedulerApp, ResourceVector> reserved) {
        CSQueue leaf = app.getCSLeafQueue();
        return owing(
                app,
                before,
                need,
                level -> level.equals(leaf)
                        ? ResourceVector.ZERO
                        : claimsBeside(leaf, level, reserved.keySet()).plus(reservedBelow(level, reserved)));
    }

    private Optional<CSQueue> owing(
            FiCaSchedulerApp app,
            Set<ApplicationId> before,
            ResourceVector need,
            Function<CSQueue, ResourceVector> claims) {
        ResourceVector later = heldByLaterPlainApplications(app, before);
        for (CSQueue level = app.getCSLeafQueue(); level.getParent() != null; level = level.getParent()) {
            ResourceVector held =
                    QueueLimits.used(level, partition).minus(later).max(ResourceVector.ZERO);
            ResourceVector guarantee = QueueLimits.guarantee(level, partition);
            ResourceVector with = need.plus(held);
            if (with.where(need).fitsIn(guarantee)
                    && with.plus(claims.apply(level)).where(need).fitsIn(guarantee)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }

    private static ResourceVector reservedBelow(CSQueue level, Map<FiCaSchedulerApp, ResourceVector> reserved) {
        return reserved.entrySet().stream()
                .filter(gang ->
                        QueueLimits.isBelow(gang.getKey().getCSLeafQueue().getQueuePath(), level))
                .map(Map.Entry::getValue)
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    /** What queues below {@code level}, but for the leaf, wait for and are guaranteed, without these gangs. */
    private ResourceVector claimsBeside(CSQueue leaf, CSQueue level, Set<FiCaSchedulerApp> gangs) {
        if (level.equals(leaf)) {
            return ResourceVector.ZERO;
        }
        ResourceVector left = QueueLimits.guarantee(level, partition)
                .minus(QueueLimits.used(level, partition))
                .max(ResourceVector.ZERO);
        List<CSQueue> children = level.getChildQueues();
        ResourceVector claims = children == null
                ? waitedFor(level, left, gangs)
                : children.stream()
                        .map(child -> claimsBeside(leaf, child, gangs))
                        .reduce(ResourceVector.ZERO, ResourceVector::plus);
        return claims.min(left);
    }

    /** A gang larger than what its queue is still guaranteed has no better claim than any other. */
    private ResourceVector waitedFor(CSQueue leaf, ResourceVector left, Set<FiCaSchedulerApp> gangs) {
        if (YarnResources.vector(leaf.getQueueResourceUsage().getPending(partition))
                        .isZero()
                || !(leaf instanceof AbstractLeafQueue queue)) {
            return ResourceVector.ZERO;
        }
        ResourceVector waited = ResourceVector.ZERO;
        for (FiCaSchedulerApp app : queue.getApplications()) {
            ResourceVector pending =
                    YarnResources.vector(app.getAppAttemptResourceUsage().getPending(partition));
            if (Foreign.isPlain(app) || (pending.fitsIn(left) && !gangs.contains(app))) {
                waited = waited.plus(pending);
            }
        }
        return waited;
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
