// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.AbstractComparatorOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FairOrderingPolicy;

/** In which order CapacityScheduler serves the applications of a leaf queue. Safe for use by several threads. */
public final class QueueOrder {
    private QueueOrder() {}

    /** The plain applications of the gang's queue that are served before it now. */
    public static Set<ApplicationId> servedBefore(FiCaSchedulerApp gang) {
        return gang.getCSLeafQueue().getApplications().stream()
                .filter(other -> Foreign.isPlain(other) && !comesAfter(other, gang))
                .map(SchedulerApplicationAttempt::getApplicationId)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether applications of its queue change places with every container, as what they hold says who is next. */
    static boolean changesWithUse(FiCaSchedulerApp app) {
        return app.getCSLeafQueue().getOrderingPolicy() instanceof FairOrderingPolicy<?>;
    }

    /** Of two applications of one queue, by the queue's own order. */
    static boolean comesAfter(FiCaSchedulerApp other, FiCaSchedulerApp app) {
        if (app.getCSLeafQueue().getOrderingPolicy() instanceof AbstractComparatorOrderingPolicy<?> order) {
            return order.getComparator().compare(other, app) > 0;
        }
        int priority = Integer.compare(
                other.getPriority().getPriority(), app.getPriority().getPriority());
        return priority < 0 || (priority == 0 && other.getApplicationId().compareTo(app.getApplicationId()) > 0);
    }
}
