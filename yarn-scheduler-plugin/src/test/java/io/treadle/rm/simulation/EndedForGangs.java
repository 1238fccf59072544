// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * Where nobody but gangs of other queues waits, preemption ends in a queue what those gangs ask for, once: twice as much, and the
 * largest container that ended, is no more a matter of sizes that do not fit each other. Looked at when nothing breaks any more.
 */
final class EndedForGangs {
    private static final String RULE = "what is preempted for gangs is what they ask for";

    private record Wanted(String queue, ResourceVector most) {}

    private record Ended(ResourceVector all, ResourceVector largest) {
        Ended plus(Ended other) {
            return new Ended(all.plus(other.all), largest.max(other.largest));
        }
    }

    private final Map<ApplicationId, Wanted> wanted = new HashMap<>();
    /** Queues in which somebody waited whose asks are not for the planner. */
    private final Set<String> othersWait = new HashSet<>();

    private final Map<String, Ended> ended = new HashMap<>();
    private Map<ContainerId, RMContainer> before = Map.of();

    /** After each round. */
    void look(SimulatedCluster cluster) {
        Yarn.leaves(cluster).forEach(leaf -> leaf.getAllApplications().forEach(app -> waits(cluster, leaf, app)));
        Map<ContainerId, RMContainer> now = Yarn.tasks(cluster);
        before.values().stream()
                .filter(container -> !now.containsKey(container.getContainerId()))
                .filter(container -> container.getContainerExitStatus() == ContainerExitStatus.PREEMPTED)
                .forEach(container -> ends(cluster, container));
        before = now;
        ended.forEach((queue, gone) -> judge(queue, gone, cluster));
    }

    private void ends(SimulatedCluster cluster, RMContainer container) {
        FiCaSchedulerApp app = cluster.scheduler().getApplicationAttempt(container.getApplicationAttemptId());
        if (app != null) {
            String queue = app.getCSLeafQueue().getQueuePath();
            ResourceVector size = Yarn.vector(container.getAllocatedResource());
            ended.merge(queue, new Ended(size, size), Ended::plus);
        }
    }

    private void waits(SimulatedCluster cluster, AbstractLeafQueue leaf, FiCaSchedulerApp app) {
        ResourceVector waits = app.getSchedulerKeys().stream()
                .map(key -> app.getPendingAsk(key, ResourceRequest.ANY))
                .filter(ask -> ask.getCount() > 0)
                .map(EndedForGangs::all)
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        if (waits.isZero()) {
            return;
        }
        if (Waits.isGang(cluster, app) && !app.isWaitingForAMContainer()) {
            wanted.merge(
                    app.getApplicationId(),
                    new Wanted(leaf.getQueuePath(), waits),
                    (one, other) -> new Wanted(one.queue(), one.most().max(other.most())));
        } else {
            othersWait.add(leaf.getQueuePath());
        }
    }

    private static ResourceVector all(PendingAsk ask) {
        return Yarn.vector(ask.getPerAllocationResource()).times(ask.getCount());
    }

    private void judge(String queue, Ended gone, SimulatedCluster cluster) {
        if (othersWait.stream().anyMatch(other -> !other.equals(queue))) {
            return;
        }
        ResourceVector gangs = wanted.values().stream()
                .filter(gang -> !gang.queue().equals(queue))
                .map(Wanted::most)
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        if (gangs.isZero()) {
            // YARN goes by sums of queues, and may end something where nobody waits.
            return;
        }
        ResourceVector most = gangs.times(2).plus(gone.largest());
        boolean isTooMuch = Stream.<ToLongFunction<ResourceVector>>of(
                        ResourceVector::gpus, ResourceVector::vcores, ResourceVector::memoryMiB)
                .filter(amount -> amount.applyAsLong(gangs) > 0)
                .allMatch(amount -> amount.applyAsLong(gone.all()) > amount.applyAsLong(most));
        if (isTooMuch) {
            throw new Violation(
                    RULE,
                    gone.all().describe() + " of " + queue + " ended, gangs ask for " + gangs.describe() + "\n"
                            + Waits.state(cluster));
        }
    }
}
