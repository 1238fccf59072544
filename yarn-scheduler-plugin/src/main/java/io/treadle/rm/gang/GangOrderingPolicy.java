// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.gang;

import com.google.common.collect.Iterators;
import java.util.Iterator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * CapacityScheduler's FIFO order without the jobs whose containers come through plans, so that a waiting gang costs
 * nothing in the walk over pending applications at each heartbeat. A leaf queue names this class in its
 * {@code ordering-policy}; without it everything works, at a higher price.
 */
public final class GangOrderingPolicy<S extends SchedulableEntity> extends FifoOrderingPolicy<S> {
    @Override
    public Iterator<S> getAssignmentIterator(IteratorSelector selector) {
        return Iterators.filter(super.getAssignmentIterator(selector), entity -> !isHidden(entity));
    }

    private static boolean isHidden(Object entity) {
        // Its AM and the container updates that its AM asks for go the ordinary way.
        return entity instanceof SchedulerApplicationAttempt app
                && GangTable.isGang(app.getApplicationSchedulingEnvs())
                && app.getAppSchedulingInfo().getRMContext().getScheduler() instanceof GangHost host
                && host.isPlanned(app.getApplicationId())
                && !app.isWaitingForAMContainer()
                && app.getSchedulerKeys().stream().allMatch(key -> key.getContainerToUpdate() == null);
    }

    @Override
    public String getInfo() {
        return "GangOrderingPolicy";
    }
}
