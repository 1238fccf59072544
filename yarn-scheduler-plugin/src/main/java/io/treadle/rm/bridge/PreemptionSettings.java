// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/**
 * What YARN's own settings say of preemption.
 *
 * @param isOn whether containers may be ended for queues below their guarantee
 * @param withinQueues whether they may be for others of the same queue, too
 * @param patienceMs how long an application has to give a container up by itself, ms
 * @param overlooked by how much a leaf queue may be above its guarantee and lose nothing, as a fraction of the guarantee
 */
public record PreemptionSettings(boolean isOn, boolean withinQueues, long patienceMs, double overlooked) {
    static PreemptionSettings of(CapacityScheduler scheduler) {
        CapacitySchedulerConfiguration conf = scheduler.getConfiguration();
        boolean isMonitored = scheduler.getSchedulingMonitorManager().getAvailableSchedulingMonitor() != null;
        boolean observesOnly = conf.getBoolean(
                CapacitySchedulerConfiguration.PREEMPTION_OBSERVE_ONLY,
                CapacitySchedulerConfiguration.DEFAULT_PREEMPTION_OBSERVE_ONLY);
        return new PreemptionSettings(
                isMonitored && !observesOnly,
                conf.getBoolean(
                        CapacitySchedulerConfiguration.INTRAQUEUE_PREEMPTION_ENABLED,
                        CapacitySchedulerConfiguration.DEFAULT_INTRAQUEUE_PREEMPTION_ENABLED),
                conf.getLong(
                        CapacitySchedulerConfiguration.PREEMPTION_WAIT_TIME_BEFORE_KILL,
                        CapacitySchedulerConfiguration.DEFAULT_PREEMPTION_WAIT_TIME_BEFORE_KILL),
                conf.getDouble(
                        CapacitySchedulerConfiguration.PREEMPTION_MAX_IGNORED_OVER_CAPACITY,
                        CapacitySchedulerConfiguration.DEFAULT_PREEMPTION_MAX_IGNORED_OVER_CAPACITY));
    }
}
