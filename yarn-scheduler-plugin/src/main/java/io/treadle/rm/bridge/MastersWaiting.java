// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/** ApplicationMasters of jobs that wait for their containers: without one a job cannot even be chosen. */
final class MastersWaiting {
    private MastersWaiting() {}

    /**
     * What those ask for on nodes of the partition that their queue has let in and whose user may have more: the others wait
     * for a limit of the queue's, and would not get the room.
     */
    static ResourceVector of(SchedulerAccess scheduler, CSQueue queue, String partition, List<Gang> gangs) {
        if (!(queue instanceof AbstractLeafQueue leaf)) {
            return ResourceVector.ZERO;
        }
        Set<FiCaSchedulerApp> letIn = Set.copyOf(leaf.getApplications());
        return gangs.stream()
                .flatMap(gang -> scheduler.app(gang.id()).stream())
                .filter(app -> letIn.contains(app)
                        && app.isWaitingForAMContainer()
                        && app.getAppAMNodePartitionName().equals(partition)
                        && UserLimits.mayTake(queue, app.getUser(), partition, scheduler.clusterResource()))
                .map(MastersWaiting::asked)
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    /**
     * Whether it asks for the container of another ApplicationMaster, for containers of an attempt before that run on. Nobody else
     * brings about their end: what may wait for it is not kept from the ApplicationMaster.
     */
    static boolean isToFollow(FiCaSchedulerApp app) {
        return app.isWaitingForAMContainer()
                && app.getLiveContainersMap().keySet().stream()
                        .anyMatch(container ->
                                !container.getApplicationAttemptId().equals(app.getApplicationAttemptId()));
    }

    private static ResourceVector asked(FiCaSchedulerApp app) {
        ResourceVector asked = ResourceVector.ZERO;
        for (SchedulerRequestKey key : app.getSchedulerKeys()) {
            PendingAsk ask = app.getPendingAsk(key, ResourceRequest.ANY);
            asked = asked.plus(
                    YarnResources.vector(ask.getPerAllocationResource()).times(ask.getCount()));
        }
        return asked;
    }
}
