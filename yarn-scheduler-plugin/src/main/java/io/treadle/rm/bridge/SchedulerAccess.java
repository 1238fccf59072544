// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** What the bridge needs of the running scheduler. */
public interface SchedulerAccess {
    /** Empty once the application's attempt is gone or stopped. */
    Optional<FiCaSchedulerApp> app(ApplicationId id);

    Collection<FiCaSchedulerNode> nodes();

    Optional<FiCaSchedulerNode> node(NodeId id);

    /** Where a container runs; empty once it has gone. */
    Optional<NodeId> nodeOf(ContainerId id);

    /** Whether the application's ApplicationMaster has registered and not ended since. */
    boolean isMasterRegistered(ApplicationId id);

    /** When nodes were heard of last. */
    Heartbeats heartbeats();

    /** Whether the names of nodes resolve. */
    NodeNames names();

    Optional<CSQueue> queue(String path);

    /** The most that a job of the queue may say that its end is worth; empty for the priority of its application + 1. */
    OptionalDouble mostWeight(CSQueue queue);

    /** Whether the node is about to be removed. */
    boolean isLeaving(NodeId id);

    /** Room that gangs have yet to take while they form. */
    FormingRoom formingRoom();

    /** Full paths of all leaf queues, in their order by name. */
    List<String> leafQueues();

    Resource clusterResource();

    /** What the running nodes of a partition have together. Takes constant time. */
    Resource partitionResource(String partition);

    /** Node labels that are not exclusive: what is idle on such nodes may go to asks without a label. */
    Set<String> lendingPartitions();

    /** {@code yarn.scheduler.minimum-allocation-*}. */
    Resource smallestContainer();

    /**
     * The size as CapacityScheduler rounds what an application asks for.
     *
     * @param most the largest container; nothing is rounded up beyond it
     */
    Resource normalized(Resource size, Resource most);

    /** Runs {@code action} under the scheduler's write lock. */
    boolean locked(BooleanSupplier action);

    /** CapacityScheduler's own commit of a proposal that a plan made. */
    boolean commitPlanned(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request);

    /** Takes back a container that was committed and not yet handed to its AM. */
    void takeBack(RMContainer container, String why);

    /** Ends a running container for the benefit of others: its application is not to blame. */
    void preempt(RMContainer container, String why);

    /** What the settings say of YARN's preemption now. */
    PreemptionSettings preemption();

    /** Asks the container's application to give it up, by YARN's preemption message; for a gang's task the whole gang. */
    void askForPreemption(RMContainer container);

    /** Ends the container, as YARN's preemption does when its patience is over; for a gang's task the whole gang. */
    void endByPreemption(RMContainer container);

    /** Drops a reservation that CapacityScheduler made; nothing where it has been used or dropped since. */
    void unreserve(RMContainer reserved);

    /** MB/s that nobody holds of the file system that all nodes share; the largest number where there is no limit. */
    long sharedStorageFreeMBps();

    /** CapacityScheduler's own handling of container updates. */
    void update(FiCaSchedulerApp app, ContainerUpdates updates);
}
