// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangTable;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gangs that are granted and not yet fetched by their ApplicationMasters. One that loses a member then is taken back whole
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

    /**
     * The node will be removed: gangs with an unfetched member there are not fetched any more. It waits for no gang that
     * is forming, so that the scheduler's dispatcher may call it.
     */
    public void nodeGoes(NodeId node) {
        gangs.forEach(gang -> gang.delivery().nodeGoes(node));
    }

    /** Takes back what is left of gangs that have lost a member before they were fetched. */
    public void takeBackBroken() {
        gangs.forEach(gang -> {
            if (gang.delivery().isBroken()) {
                takeBack(gang);
            }
        });
    }

    /**
     * Breaks the gang if YARN could hand out only a part of it now, as the name of a node does not resolve. Looks names up;
     * called without any lock, before the ApplicationMaster fetches the gang.
     */
    public void breakWhatCannotBeDelivered(Gang gang) {
        // Where it has no ApplicationMaster the ResourceManager's own dispatcher asks, which must not wait.
        if (scheduler
                .app(gang.id())
                .filter(app -> !app.isWaitingForAMContainer())
                .isPresent()) {
            scheduler.names().unresolved(gang.delivery().nodes()).forEach(node -> gang.delivery()
                    .nodeGoes(node));
        }
    }

    /**
     * Answers the ApplicationMaster of a gang: with all members or with none.
     *
     * @param answer CapacityScheduler's own
     */
    public <T> T answer(Gang gang, Supplier<T> answer) {
        Optional<FiCaSchedulerApp> app = scheduler.app(gang.id());
        if (app.isEmpty() || app.get().isWaitingForAMContainer()) {
            // Nothing is committed for it yet, and the ResourceManager's own dispatcher asks: it must not wait.
            return answer.get();
        }
        while (true) {
            Optional<T> given =
                    gang.delivery().answer(member -> app.get().getRMContainer(member.getContainerId()) != null, answer);
            if (given.isPresent()) {
                return given.get();
            }
            takeBack(gang);
        }
    }

    private void takeBack(Gang gang) {
        gang.delivery().beginTakingBack().ifPresent(members -> {
            boolean all = false;
            try {
                scheduler.app(gang.id()).ifPresent(app -> takeBack(gang, app, members));
                all = true;
            } finally {
                gang.delivery().takenBack(all);
            }
        });
    }

    private void takeBack(Gang gang, FiCaSchedulerApp app, List<RMContainer> members) {
        LOG.info(
                "Gang of {} lost a member before it was fetched: what is left of {} containers is taken back, it waits again",
                gang.id(),
                members.size());
        TakingBack.of(
                scheduler,
                app,
                members,
                "the gang lost a member before it was fetched",
                () -> AskSizes.restore(app, gang.spec()));
    }
}
