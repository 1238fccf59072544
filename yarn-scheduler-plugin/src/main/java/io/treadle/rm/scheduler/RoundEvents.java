// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.rm.bridge.LeavingContainers;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.gang.GangTable;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;

/** Decides which of the scheduler's events make a round of the planner due. Safe for use by several threads. */
final class RoundEvents {
    private final GangTable gangs;
    private final LeavingContainers leaving;
    private final RoundTriggers triggers = new RoundTriggers(System::nanoTime);

    RoundEvents(GangTable gangs, SchedulerAccess scheduler) {
        this.gangs = gangs;
        this.leaving = new LeavingContainers(scheduler);
    }

    RoundTriggers triggers() {
        return triggers;
    }

    /** Whether no heartbeat makes a round due: no node has yet to say that a container is gone. */
    boolean areAllNodesSettled() {
        return leaving.isEmpty();
    }

    /** CapacityScheduler has handled an event. */
    void handled(SchedulerEvent event) {
        if (event instanceof NodeUpdateSchedulerEvent update) {
            // It comes once a second from each node, nearly always with nothing that matters to a plan.
            leaving.left(update.getRMNode().getNodeID()).ifPresent(this::trigger);
            return;
        }
        if (event instanceof NodeRemovedSchedulerEvent removed) {
            leaving.forget(removed.getRemovedRMNode().getNodeID());
        }
        EventApplication.of(event).ifPresentOrElse(id -> trigger(gangs.find(id).isPresent()), triggers::gangs);
    }

    /** CapacityScheduler has ended a container. */
    void ended(RMContainer container) {
        if (gangs.isEmpty()) {
            return;
        }
        boolean ofGang = gangs.find(container.getApplicationAttemptId().getApplicationId())
                .isPresent();
        leaving.ended(container, ofGang);
        // What the planner itself takes back is no news to it: a gang that is refused half-way again and again would
        // never let it rest.
        if (!triggers.isPlanner(Thread.currentThread())) {
            trigger(ofGang);
        }
    }

    private void trigger(boolean ofGang) {
        if (ofGang) {
            triggers.gangs();
        } else if (!gangs.isEmpty()) {
            triggers.others();
        }
    }
}
