// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.GangHost;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceUsage;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.Clock;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * YARN's preemption without what waiting gangs ask for. It frees room container by container, wherever that may be: a gang could
 * not use it, the next application would take it, and it would be freed again, without end. Gangs that are owed room have it freed
 * by {@link RoomPreemption}, on nodes where nobody else gets it.
 *
 * <p>Runs on the thread of the scheduling monitor. TreadleScheduler puts it where YARN's own policy stands in the settings.
 */
public final class GangPreemptionPolicy extends ProportionalCapacityPreemptionPolicy {
    /** True on a thread that looks at demand for preemption: asks of planned gangs are none for it. */
    private static final ThreadLocal<Boolean> LOOKING = ThreadLocal.withInitial(() -> false);

    /** As YARN makes it; it is initialised later. */
    public GangPreemptionPolicy() {}

    /** For one scheduler, with the caller's clock. */
    public GangPreemptionPolicy(RMContext context, CapacityScheduler scheduler, Clock clock) {
        super(context, scheduler, clock);
    }

    private record Hidden(ResourceUsage usage, String partition, Resource amount) {}

    /** The settings with this policy in the place of YARN's own, where YARN's own is named: an empty list turns preemption off. */
    public static void install(Configuration conf) {
        String[] policies = conf.getTrimmedStrings(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES);
        if (policies.length == 0) {
            return;
        }
        String stock = ProportionalCapacityPreemptionPolicy.class.getName();
        for (int i = 0; i < policies.length; i++) {
            policies[i] = policies[i].equals(stock) ? GangPreemptionPolicy.class.getName() : policies[i];
        }
        conf.setStrings(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES, policies);
    }

    /** Whether this thread looks at demand for preemption. */
    static boolean isLooking() {
        return LOOKING.get();
    }

    @Override
    public synchronized void editSchedule() {
        List<Hidden> hidden = new ArrayList<>();
        try {
            hide(getScheduler(), hidden);
            LOOKING.set(true);
            super.editSchedule();
        } finally {
            LOOKING.set(false);
            // Others may have changed the usage meanwhile: what was taken is added again, no old value is put back.
            hidden.forEach(part -> part.usage().incPending(part.partition(), part.amount()));
        }
    }

    private static void hide(CapacityScheduler scheduler, List<Hidden> hidden) {
        if (!(scheduler instanceof GangHost host) || !host.hasGangs()) {
            return;
        }
        for (AbstractLeafQueue leaf : LeafQueues.of(scheduler)) {
            for (FiCaSchedulerApp app : leaf.getAllApplications()) {
                if (!Foreign.isPlain(app) && host.isServedByPlanner(app.getApplicationId())) {
                    hide(app, hidden);
                }
            }
        }
    }

    private static void hide(FiCaSchedulerApp app, List<Hidden> hidden) {
        ResourceUsage usage = app.getAppAttemptResourceUsage();
        for (SchedulerRequestKey key : app.getSchedulerKeys()) {
            AppPlacementAllocator<FiCaSchedulerNode> asks =
                    app.getAppSchedulingInfo().getAppPlacementAllocator(key);
            // The increases too: none is reserved room for, so that what is freed for one goes to others.
            if (asks != null) {
                PendingAsk ask = asks.getPendingAsk(ResourceRequest.ANY);
                Resource amount = Resources.multiply(ask.getPerAllocationResource(), ask.getCount());
                String partition = asks.getPrimaryRequestedNodePartition();
                usage.decPending(partition, amount);
                hidden.add(new Hidden(usage, partition, amount));
            }
        }
    }
}
