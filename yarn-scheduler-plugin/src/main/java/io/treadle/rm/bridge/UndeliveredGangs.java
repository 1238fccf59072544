// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gangs that are granted and not yet fetched by their ApplicationMasters. One that loses a node then is taken back whole
 * and waits again: an ApplicationMaster never sees part of a gang.
 */
public final class UndeliveredGangs {
    private static final Logger LOG = LoggerFactory.getLogger(UndeliveredGangs.class);

    private final SchedulerAccess scheduler;
    private final GangTable gangs;

    public UndeliveredGangs(SchedulerAccess scheduler, GangTable gangs) {
        this.scheduler = scheduler;
        this.gangs = gangs;
    }

    /** Runs CapacityScheduler's own removal of the node while no gang with an undelivered member there is fetched. */
    public void whileRemoving(NodeId node, Runnable removal) {
        List<Gang> affected = new ArrayList<>();
        try {
            for (Gang gang : gangs.all()) {
                // Which members are undelivered holds only as long as the AM cannot fetch them.
                gang.delivery().lock();
                if (undelivered(gang).stream().anyMatch(c -> node.equals(c.getAllocatedNode()))) {
                    affected.add(gang);
                } else {
                    gang.delivery().unlock();
                }
            }
            removal.run();
            affected.forEach(this::takeBack);
        } finally {
            affected.forEach(gang -> gang.delivery().unlock());
        }
    }

    private List<RMContainer> undelivered(Gang gang) {
        return scheduler
                .app(gang.id())
                .map(app -> new LiveTasks(app, gang.spec().groups().size())
                        .tasks().stream()
                                .map(LiveTasks.Task::container)
                                .filter(c -> c.getState() == RMContainerState.ALLOCATED)
                                .toList())
                .orElse(List.of());
    }

    private void takeBack(Gang gang) {
        List<RMContainer> left = undelivered(gang);
        FiCaSchedulerApp app = scheduler.app(gang.id()).orElse(null);
        if (app == null) {
            return;
        }
        LOG.info(
                "Gang of {} lost a node before it was fetched: its other {} containers are taken back, it waits again",
                gang.id(),
                left.size());
        scheduler.locked(() -> {
            left.forEach(c -> scheduler.takeBack(c, "the gang lost a node before it was fetched"));
            AskSizes.restore(app, gang.spec());
            return true;
        });
    }
}
