// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;

/**
 * YARN's preemption as its monitor has it, on a thread of its own: here it never looks. Without it CapacityScheduler counts every
 * queue as one that may not be preempted. What looks, when the simulation says so, is another instance.
 */
public final class StillMonitor extends ProportionalCapacityPreemptionPolicy {
    private static final long NEVER_MS = 1_000_000_000L;

    /** As YARN makes it. */
    public StillMonitor() {}

    @Override
    public void init(Configuration conf, RMContext context, ResourceScheduler scheduler) {}

    @Override
    public synchronized void editSchedule() {}

    @Override
    public long getMonitoringInterval() {
        return NEVER_MS;
    }
}
