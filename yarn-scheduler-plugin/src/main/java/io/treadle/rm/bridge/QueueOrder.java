// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.AbstractComparatorOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FairOrderingPolicy;

/** In which order CapacityScheduler serves the applications of a leaf queue. Safe for use by several threads. */
public final class QueueOrder {
    private QueueOrder() {}

    /**
     * The plain applications of the gang's queue that are served before it now, and all of the queue that are to get another
     * ApplicationMaster for containers that run: the gang may wait for their end, which nobody else brings about.
     */
    public static Set<ApplicationId> servedBefore(FiCaSchedulerApp gang) {
        return ids(gang, other -> lostItsMaster(other) || (Foreign.isPlain(other) && !comesAfter(other, gang)));
    }

    /** Those of the gang's queue that are to get another ApplicationMaster for containers that run. */
    static Set<ApplicationId> withoutMaster(FiCaSchedulerApp gang) {
        return ids(gang, QueueOrder::lostItsMaster);
    }

    private static Set<ApplicationId> ids(FiCaSchedulerApp gang, Predicate<FiCaSchedulerApp> which) {
        return gang.getCSLeafQueue().getApplications().stream()
                .filter(which)
                .map(SchedulerApplicationAttempt::getApplicationId)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean lostItsMaster(FiCaSchedulerApp app) {
        return app.isWaitingForAMContainer() && !app.getLiveContainersMap().isEmpty();
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
