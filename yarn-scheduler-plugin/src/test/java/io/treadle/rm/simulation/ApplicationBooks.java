// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.jspecify.annotations.Nullable;

/** What an application holds is the sum of its containers; nothing of refused proposals stays in its books. */
final class ApplicationBooks implements Check {
    @Override
    public void look(SimulatedCluster cluster) throws Exception {
        Map<ApplicationAttemptId, Resource> proposed = new HashMap<>();
        cluster.proposals().ifPresent(proposals -> proposals.all().forEach(request -> {
            if (!request.getContainersToAllocate().isEmpty()) {
                ApplicationAttemptId attempt = request.getFirstAllocatedOrReservedContainer()
                        .getAllocatedOrReservedContainer()
                        .getSchedulerApplicationAttempt()
                        .getApplicationAttemptId();
                proposed.merge(attempt, request.getTotalAllocatedResource(), Resources::add);
            }
        }));
        for (FiCaSchedulerApp attempt : Yarn.attempts(cluster)) {
            containers(cluster, attempt);
            unconfirmed(attempt, proposed.get(attempt.getApplicationAttemptId()));
        }
    }

    private static void containers(SimulatedCluster cluster, FiCaSchedulerApp attempt) {
        if (Yarn.isUpdating(attempt)) {
            return;
        }
        ResourceVector sum = ResourceVector.ZERO;
        for (RMContainer container : attempt.getLiveContainers()) {
            ResourceVector size = Yarn.vector(container.getAllocatedResource());
            sum = sum.plus(size);
            if (size.memoryMiB() % Setting.LEAST_MIB != 0) {
                throw new Violation(
                        "sizes are as YARN rounds them",
                        container.getContainerId() + " has " + size.memoryMiB() + " MiB, which is no multiple of "
                                + Setting.LEAST_MIB);
            }
            FiCaSchedulerNode node = cluster.scheduler().getNode(container.getAllocatedNode());
            if (node != null
                    && node.getCopiedListOfRunningContainers().stream()
                            .noneMatch(c -> c.getContainerId().equals(container.getContainerId()))) {
                throw new Violation(
                        "an application's container is on its node",
                        container.getContainerId() + " is not on " + node.getNodeID());
            }
        }
        ResourceVector used = Yarn.vector(attempt.getAppAttemptResourceUsage().getAllUsed());
        if (!used.equals(sum)) {
            throw new Violation(
                    "an application's books are the sum of its containers",
                    attempt.getApplicationAttemptId() + " has " + used + ", its containers " + sum);
        }
    }

    private static void unconfirmed(FiCaSchedulerApp attempt, @Nullable Resource proposed)
            throws ReflectiveOperationException {
        ResourceVector waiting = proposed == null
                ? ResourceVector.ZERO
                : ResourceVector.of(0, proposed.getVirtualCores(), proposed.getMemorySize());
        ResourceVector counted = Yarn.unconfirmed(attempt);
        if (!counted.equals(waiting)) {
            throw new Violation(
                    "what is unconfirmed is proposed",
                    attempt.getApplicationAttemptId() + " has " + counted + " unconfirmed, proposals for " + waiting
                            + " wait");
        }
    }
}
