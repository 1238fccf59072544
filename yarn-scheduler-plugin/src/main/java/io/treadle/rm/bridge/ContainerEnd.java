// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.Optional;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * What CapacityScheduler is told of the end of a container.
 *
 * @param container the container, or one like it whose end makes no events
 * @param event how it ends
 */
public record ContainerEnd(RMContainer container, RMContainerEventType event) {
    /** Prepares YARN's books for an end, so that one of a gang leaves no tag, no error and no wrong metric behind. */
    public static ContainerEnd of(
            RMContainer container, RMContainerEventType event, GangMembers members, SchedulerAccess scheduler) {
        UnfetchedContainers.tagsEndWith(container);
        Optional<FiCaSchedulerApp> app = members.app(container);
        if (app.isEmpty()) {
            // Of an ordinary application nothing is prepared.
            return new ContainerEnd(container, event);
        }
        endsInAsks(app.get(), container);
        Optional<FiCaSchedulerNode> node = scheduler.node(container.getAllocatedNode());
        if (node.isPresent() && UpdateAccounts.isToolOfDecrease(app.get(), container)) {
            UpdateAccounts.completing(app.get(), node.get(), scheduler.clusterResource());
            // Hadoop releases it, which a container that was never started does not know: an ERROR for each decrease.
            return new ContainerEnd(container, RMContainerEventType.KILL);
        }
        return UnfetchedContainers.isReleased(container, event)
                ? new ContainerEnd(UnfetchedContainers.withoutEvents(container), event)
                : new ContainerEnd(container, event);
    }

    private static void endsInAsks(FiCaSchedulerApp gang, RMContainer container) {
        if (container.getAllocatedSchedulerKey().getContainerToUpdate() == null) {
            UpdatesInFlight.withdrawIncrease(gang, container.getContainerId());
        } else if (container instanceof RMContainerImpl increase) {
            // Hadoop asks again for what ends before it is fetched: for an increase it would ask for one more task, of
            // the
            // increase's size.
            increase.setContainerRequest(null);
        }
    }
}
