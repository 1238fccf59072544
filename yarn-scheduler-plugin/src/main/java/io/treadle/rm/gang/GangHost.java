// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.gang;

import io.treadle.core.resource.ResourceVector;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

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

    /**
     * Whether a plain application may be offered the node for so many whole GPUs; true where its devices are not known
     * one by one.
     */
    boolean offersGpus(SchedulerNode node, long gpus);

    /** Whether the node has room for a container of this size beyond what is reserved there for gangs of others. */
    boolean leavesReservedRoom(SchedulerNode node, ApplicationId id, ResourceVector container);

    /** Says that an increase of one of the application's containers is being taken from its asks. */
    void increaseTaken(ApplicationId id, String partition, Resource more);
}
