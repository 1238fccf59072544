// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.UserInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.jspecify.annotations.Nullable;

/** Queues and users hold the sum of their applications, metrics say the same, and none grows beyond what it may have. */
final class QueueBooks implements Check {
    private record Holding(ResourceVector held, ResourceVector limit) {}

    private final Map<String, Holding> before = new HashMap<>();
    /**
     * Users whose ApplicationMaster has started again: Hadoop forgets the user with the attempt that ends, and counts what its
     * containers hold no more.
     */
    private final Set<String> uncounted = new HashSet<>();

    private ResourceVector clusterBefore = ResourceVector.ZERO;
    private int movesBefore;

    @Override
    public void look(SimulatedCluster cluster) {
        boolean updating = Yarn.isAnythingUpdating(cluster);
        for (CSQueue queue : Yarn.queues(cluster)) {
            if (queue.getChildQueues() != null) {
                equal(
                        "a queue holds the sum of its queues",
                        queue.getQueuePath(),
                        Yarn.vector(queue.getQueueResourceUsage().getAllUsed()),
                        Yarn.sum(queue.getChildQueues().stream()
                                .map(child -> Yarn.vector(
                                        child.getQueueResourceUsage().getAllUsed()))
                                .toList()));
            }
            if (queue instanceof AbstractLeafQueue leaf && !updating) {
                leaf(cluster, leaf);
            }
        }
        limits(cluster);
    }

    private static void equal(String rule, String where, ResourceVector books, ResourceVector sum) {
        if (!books.equals(sum)) {
            throw new Violation(rule, where + " has " + books + ", the sum is " + sum);
        }
    }

    private void leaf(SimulatedCluster cluster, AbstractLeafQueue leaf) {
        ResourceVector used = ResourceVector.ZERO;
        ResourceVector pending = ResourceVector.ZERO;
        ResourceVector allocated = ResourceVector.ZERO;
        int containers = 0;
        Map<String, ResourceVector> byUser = new HashMap<>();
        for (FiCaSchedulerApp attempt : Yarn.attempts(cluster)) {
            if (attempt.getCSLeafQueue() == leaf) {
                ResourceVector held =
                        Yarn.vector(attempt.getAppAttemptResourceUsage().getAllUsed());
                allocated = allocated.plus(held);
                containers += attempt.getLiveContainers().size();
                held = held.plus(
                        Yarn.vector(attempt.getAppAttemptResourceUsage().getAllReserved()));
                used = used.plus(held);
                if (attempt.getApplicationAttemptId().getAttemptId() > 1) {
                    uncounted.add(attempt.getUser() + leaf.getQueuePath());
                }
                byUser.merge(attempt.getUser(), held, ResourceVector::plus);
                pending = pending.plus(Yarn.pending(attempt));
            }
        }
        String name = leaf.getQueuePath();
        equal(
                "a queue holds the sum of its applications",
                name,
                Yarn.vector(leaf.getQueueResourceUsage().getAllUsed()),
                used);
        for (UserInfo user : leaf.getUsersManager().getUsersInfo()) {
            if (uncounted.contains(user.getUsername() + name)) {
                continue;
            }
            equal(
                    "a user holds the sum of his applications",
                    user.getUsername() + " in " + name,
                    Yarn.vector(
                            leaf.getUser(user.getUsername()).getResourceUsage().getAllUsed()),
                    byUser.getOrDefault(user.getUsername(), ResourceVector.ZERO));
        }
        equal(
                "a queue waits for what its applications wait for",
                name,
                Yarn.vector(leaf.getQueueResourceUsage().getAllPending()),
                pending);
        if (cluster.areMetricsRight()) {
            metrics(name, leaf.getMetrics(), allocated, containers, pending);
        }
    }

    private static void metrics(
            String name, QueueMetrics metrics, ResourceVector allocated, int containers, ResourceVector pending) {
        String books = metrics.getAllocatedContainers() + " containers, " + metrics.getAllocatedVirtualCores()
                + " vcores, " + metrics.getAllocatedMB() + " MiB allocated, " + metrics.getPendingVirtualCores()
                + " vcores, " + metrics.getPendingMB() + " MiB pending";
        String sums = containers + " containers, " + allocated.vcores() + " vcores, " + allocated.memoryMiB()
                + " MiB allocated, " + pending.vcores() + " vcores, " + pending.memoryMiB() + " MiB pending";
        if (!books.equals(sums)) {
            throw new Violation("metrics say what is", name + " has " + books + "; the sums are " + sums);
        }
    }

    private void limits(SimulatedCluster cluster) {
        ResourceVector all = Yarn.vector(cluster.scheduler().getClusterResource());
        // What nodes report as they register is taken without regard to limits, and so is an application that is moved.
        boolean counts = all.equals(clusterBefore) && cluster.moves() == movesBefore;
        movesBefore = cluster.moves();
        clusterBefore = all;
        for (CSQueue queue : Yarn.queues(cluster)) {
            Holding now = new Holding(
                    Yarn.vector(queue.getQueueResourceUsage().getUsed("")),
                    Yarn.vector(queue.getEffectiveMaxCapacity("")));
            Holding last = before.put(queue.getQueuePath(), now);
            if (counts && grew(last, now) && !now.held().fitsIn(now.limit())) {
                throw new Violation(
                        "no queue grows beyond its maximum",
                        queue.getQueuePath() + " holds " + now.held() + after(last) + ", may hold " + now.limit());
            }
            if (queue instanceof AbstractLeafQueue leaf) {
                users(cluster, leaf, counts);
            }
        }
    }

    private static String after(@Nullable Holding last) {
        return last == null ? "" : " after " + last.held();
    }

    private static boolean grew(@Nullable Holding last, Holding now) {
        return last != null && !now.held().fitsIn(last.held()) && last.limit().equals(now.limit());
    }

    /** The last that is granted may go beyond a user's limit: one container, or one gang. */
    private void users(SimulatedCluster cluster, AbstractLeafQueue leaf, boolean counts) {
        for (UserInfo user : leaf.getUsersManager().getUsersInfo()) {
            String name = user.getUsername() + " in " + leaf.getQueuePath();
            Holding now = new Holding(
                    Yarn.vector(leaf.getUser(user.getUsername()).getUsed("")),
                    Yarn.vector(Resources.multiply(leaf.getEffectiveCapacity(""), leaf.getUserLimitFactor())));
            Holding last = before.put(name, now);
            ResourceVector largest = ResourceVector.ZERO;
            for (SimulatedApplication application : cluster.applications()) {
                Job job = application.job;
                if (job.user().equals(user.getUsername())) {
                    largest = largest.max(job.isGang() ? job.size().times(job.tasks()) : job.size());
                }
            }
            ResourceVector all = clusterBefore;
            // Sizes are rounded up to the smallest container. A guarantee is rounded down here, and Hadoop rounds a
            // user's
            // limit up: 70 % of 40 vcores are 27 and 28.
            double most = Yarn.dominant(now.limit(), all)
                    + Yarn.dominant(largest.plus(ResourceVector.of(1, 1, 5L * Setting.LEAST_MIB)), all);
            if (counts
                    && grew(last, now)
                    && !uncounted.contains(user.getUsername() + leaf.getQueuePath())
                    && Yarn.dominant(now.held(), all) > most + 1e-6) {
                throw new Violation(
                        "no user grows who holds more than he may",
                        name + " holds " + now.held() + after(last) + ", may hold " + now.limit());
            }
        }
    }
}
