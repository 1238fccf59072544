// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.gang;

import io.treadle.core.resource.ResourceVector;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/** The scheduler, as the classes see it that Hadoop creates by name. */
public interface GangHost {
    /**
     * Whether the task containers of this application come only through plans: it is a job of ours and the policy of its
     * queue works.
     */
    boolean isPlanned(ApplicationId id);

    /** Whether there is any job of ours. */
    boolean hasGangs();

    /** Whether the application's next container is that of its ApplicationMaster. */
    boolean isWaitingForAppMaster(ApplicationId id);

    /** Whether what the application asks for now comes through plans, and by reservations of ours. */
    default boolean isServedByPlanner(ApplicationId id) {
        return isPlanned(id) && !isWaitingForAppMaster(id);
    }

    /** Whether this ask is for tasks of a planned job: CapacityScheduler is to propose nothing for it, on no node. */
    boolean isLeftToPlanner(AppSchedulingInfo app, SchedulerRequestKey key);

    /**
     * Why CapacityScheduler should not consider a node for an ask; empty where it may. It holds for every application and
     * for asks of every kind.
     *
     * @param size of one container, or what a container grows by
     */
    Optional<String> obstacle(AppSchedulingInfo app, SchedulerRequestKey key, ResourceVector size, SchedulerNode node);

    /** Whether a node has said which GPUs it has: then the scheduler chooses the devices of containers. */
    boolean knowsDevices();

    /** Says that an increase of one of the application's containers is being taken from its asks. */
    void increaseTaken(ApplicationId id, String partition, Resource more);
}
