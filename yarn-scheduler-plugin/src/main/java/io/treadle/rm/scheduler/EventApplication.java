// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerExpiredSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ReleaseContainerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;

/** Of which application a scheduler's event tells. */
final class EventApplication {
    private EventApplication() {}

    /** Empty where it tells of nodes or queues, or is of a kind that is not known here. */
    static Optional<ApplicationId> of(SchedulerEvent event) {
        if (event instanceof AppAddedSchedulerEvent added) {
            return Optional.of(added.getApplicationId());
        }
        if (event instanceof AppRemovedSchedulerEvent removed) {
            return Optional.of(removed.getApplicationID());
        }
        if (event instanceof AppAttemptAddedSchedulerEvent added) {
            return Optional.of(added.getApplicationAttemptId().getApplicationId());
        }
        if (event instanceof AppAttemptRemovedSchedulerEvent removed) {
            return Optional.of(removed.getApplicationAttemptID().getApplicationId());
        }
        if (event instanceof ContainerExpiredSchedulerEvent expired) {
            return Optional.of(
                    expired.getContainerId().getApplicationAttemptId().getApplicationId());
        }
        if (event instanceof ReleaseContainerEvent released) {
            return Optional.of(released.getContainer().getApplicationAttemptId().getApplicationId());
        }
        if (event instanceof ContainerPreemptEvent preempted) {
            return Optional.of(preempted.getAppId().getApplicationId());
        }
        return Optional.empty();
    }
}
