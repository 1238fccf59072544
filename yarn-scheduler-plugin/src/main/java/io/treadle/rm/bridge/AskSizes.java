// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.wire.GangSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * The size of what a job still asks for. Hadoop's metrics count what is granted against what was asked, so an ask takes
 * the planned size before it is granted, and goes back to its own size where it is left over.
 */
final class AskSizes {
    private AskSizes() {}

    static void set(FiCaSchedulerApp app, SchedulerRequestKey key, Resource size) {
        // The ApplicationMaster changes under this lock how many it asks for: a change between is not to be lost.
        app.getWriteLock().lock();
        try {
            int count = app.getPendingAsk(key, ResourceRequest.ANY).getCount();
            AppPlacementAllocator<?> asks = app.getAppSchedulingInfo().getAppPlacementAllocator(key);
            ResourceRequest ask =
                    asks == null ? null : asks.getResourceRequests().get(ResourceRequest.ANY);
            if (ask == null || count == 0 || ask.getCapability().equals(size)) {
                return;
            }
            ResourceRequest resized = ResourceRequest.clone(ask);
            resized.setCapability(size);
            resized.setNumContainers(count);
            app.updateResourceRequests(new ArrayList<>(List.of(resized)));
        } finally {
            app.getWriteLock().unlock();
        }
    }

    /** Asks that are left, of tasks beyond the gang's minimum, go back to their own size. */
    static void restore(FiCaSchedulerApp app, Map<SchedulerRequestKey, Resource> asks) {
        asks.forEach((key, size) -> set(app, key, size));
    }

    /** Asks that Hadoop has put back, with the size that was planned, go back to what the job asks for. */
    static void restore(FiCaSchedulerApp app, GangSpec spec) {
        for (SchedulerRequestKey key : app.getSchedulerKeys()) {
            long group = key.getAllocationRequestId() - 1;
            if (key.getContainerToUpdate() == null
                    && group >= 0
                    && group < spec.groups().size()) {
                set(
                        app,
                        key,
                        YarnResources.resource(spec.groups().get((int) group).resources()));
            }
        }
    }
}
