// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/** Takes back members that no ApplicationMaster has fetched, in short holds of the scheduler's lock. */
final class TakingBack {
    private TakingBack() {}

    /**
     * Members that are gone already, with their node or with the attempt, and those that never came are left out.
     *
     * @param restore gives the asks that Hadoop puts back their own size; it runs in the hold of the last member
     */
    static void of(
            SchedulerAccess scheduler, FiCaSchedulerApp app, List<RMContainer> members, String why, Runnable restore) {
        ShortHolds.run(scheduler, Math.max(1, members.size()), i -> {
            if (i < members.size()) {
                takeBack(scheduler, app, members.get(i), why);
            }
            if (i >= members.size() - 1) {
                restore.run();
            }
            return true;
        });
    }

    private static void takeBack(SchedulerAccess scheduler, FiCaSchedulerApp app, RMContainer member, String why) {
        // It has an id since its commit.
        if (member.getContainerId() != null
                && app.getRMContainer(member.getContainerId()) != null
                && member.getState() == RMContainerState.ALLOCATED) {
            scheduler.takeBack(member, why);
        }
    }
}
