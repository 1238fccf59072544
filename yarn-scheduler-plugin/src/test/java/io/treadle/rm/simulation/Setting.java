// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.rm.AllResourceTypes;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;

/**
 * How the cluster of one simulation is set up.
 *
 * @param asynchronous whether proposals of CapacityScheduler are committed later, in an order of the simulation's own
 * @param preempts whether YARN's preemption is on
 * @param devices whether nodes say which GPUs they have
 * @param policy of the queues of gangs
 * @param hides whether these queues have our ordering policy
 * @param share guaranteed share of the queue of plain applications, percent; the queues of gangs halve the rest
 * @param plainMost most that the queue of plain applications may have, percent
 * @param userFactor what one user may hold of a queue, as a multiple of its guarantee
 */
record Setting(
        boolean asynchronous,
        boolean preempts,
        boolean devices,
        String policy,
        boolean hides,
        int share,
        int plainMost,
        int userFactor) {
    static final List<String> QUEUES = List.of("ml", "research", "plain");
    /** The smallest container, MiB; YARN rounds sizes up to multiples of it. */
    static final int LEAST_MIB = 256;

    /** How long a ResourceManager that starts waits for its nodes, ms. */
    static final long RECOVERY_MS = 3_000;

    private static final String CAPACITY = "yarn.scheduler.capacity.";

    static Setting from(Random random) {
        List<String> policies = List.of("fifo+synergy-tune", "srtf+synergy-balanced", "fifo+proportional");
        return new Setting(
                random.nextInt(3) == 0,
                random.nextBoolean(),
                random.nextInt(3) > 0,
                policies.get(random.nextInt(policies.size())),
                random.nextInt(4) > 0,
                List.of(30, 50, 70).get(random.nextInt(3)),
                random.nextInt(3) == 0 ? 80 : 100,
                random.nextInt(3) == 0 ? 1 : 10);
    }

    /** The same cluster after a change of its queues. */
    Setting refreshed(int newShare, int newMost) {
        return new Setting(asynchronous, preempts, devices, policy, hides, newShare, newMost, userFactor);
    }

    Setting withoutDevices() {
        return new Setting(asynchronous, preempts, false, policy, hides, share, plainMost, userFactor);
    }

    /** @param stock whether CapacityScheduler itself is to run */
    YarnConfiguration configuration(boolean stock) {
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(
                YarnConfiguration.RM_SCHEDULER,
                stock ? CapacityScheduler.class.getName() : "io.treadle.rm.scheduler.TreadleScheduler");
        conf.set(YarnConfiguration.RESOURCE_TYPES, AllResourceTypes.TYPES);
        conf.set("yarn.resource-types.treadle.io/gpu-memory.units", "Mi");
        conf.setBoolean("yarn.resourcemanager.auto-update.containers", true);
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME, true);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, LEAST_MIB);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, 64);
        conf.setInt(YarnConfiguration.RM_AM_MAX_ATTEMPTS, 3);
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                Path.of("target", "node-attribute-" + ProcessHandle.current().pid())
                        .toUri()
                        .toString());
        conf.setBoolean(YarnConfiguration.NODE_LABELS_ENABLED, true);
        conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
        conf.set(YarnConfiguration.RM_STORE, MemoryRMStateStore.class.getName());
        conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, RECOVERY_MS);
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, preempts);
        conf.set(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES, StillMonitor.class.getName());
        conf.setInt("yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill", 500);
        conf.setFloat("yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round", 1);
        conf.setFloat("yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor", 1);
        conf.setFloat("yarn.resourcemanager.monitor.capacity.preemption.max_ignored_over_capacity", 0);
        conf.set("yarn.scheduler.treadle.reservation.after-ms", "1000");
        conf.set("yarn.scheduler.treadle.node.spare-vcores", "0");
        conf.set("yarn.scheduler.treadle.policy.failures", "2");
        conf.set("yarn.scheduler.treadle.policy.retry-ms", "3000");
        queues(conf);
        return conf;
    }

    private void queues(YarnConfiguration conf) {
        conf.set(CAPACITY + "resource-calculator", DominantResourceCalculator.class.getName());
        conf.setBoolean(CAPACITY + "schedule-asynchronously.enable", asynchronous);
        conf.set(CAPACITY + "maximum-am-resource-percent", "1.0");
        conf.set(CAPACITY + "root.queues", String.join(",", QUEUES));
        for (String queue : QUEUES) {
            boolean plain = queue.equals("plain");
            String path = CAPACITY + "root." + queue;
            conf.set(path + ".capacity", plain ? String.valueOf(share) : String.valueOf((100 - share) / 2.0));
            conf.set(path + ".maximum-capacity", plain ? String.valueOf(plainMost) : "100");
            conf.set(path + ".user-limit-factor", String.valueOf(userFactor));
            if (!plain) {
                conf.set(path + ".treadle.policy", policy);
                if (hides) {
                    conf.set(path + ".ordering-policy", "io.treadle.rm.gang.GangOrderingPolicy");
                }
            }
        }
    }
}
