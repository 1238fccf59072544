// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;

/** The settings of a measured ResourceManager: alike for both schedulers but for what switches ours on. */
final class BenchSettings {
    /** Queues of plain applications. */
    static final int QUEUES = 20;

    static final String GANG_QUEUE = "ml";

    /** All that Treadle can use. */
    static final List<String> TYPES =
            List.of("yarn.io/gpu", "treadle.io/gpu-memory", "treadle.io/storage-bandwidth", "treadle.io/power");

    private static final String CAPACITY = "yarn.scheduler.capacity.";
    private static final int ML_PERCENT = 20;
    private static final int HOUR_MS = 3_600_000;

    private BenchSettings() {}

    static String plainQueue(int number) {
        return "q" + number % QUEUES;
    }

    /** @param directory for files that Hadoop writes */
    static Configuration of(Setting setting, Path directory) {
        YarnConfiguration conf = new YarnConfiguration();
        if (setting.types() > 0) {
            conf.setStrings(
                    YarnConfiguration.RESOURCE_TYPES,
                    TYPES.subList(0, setting.types()).toArray(String[]::new));
            conf.set("yarn.resource-types.treadle.io/gpu-memory.units", "Mi");
        }
        conf.set("hadoop.tmp.dir", directory.resolve("hadoop").toString());
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                directory.resolve("attributes").toUri().toString());
        for (String address : new String[] {
            YarnConfiguration.RM_ADDRESS,
            YarnConfiguration.RM_SCHEDULER_ADDRESS,
            YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
            YarnConfiguration.RM_ADMIN_ADDRESS
        }) {
            conf.set(address, "127.0.0.1:0");
        }
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 128);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, BenchCluster.NODE_MIB);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, BenchCluster.NODE_VCORES);
        conf.setBoolean("yarn.resourcemanager.auto-update.containers", true);
        // Nobody dies of silence here: nodes beat when they are told to, and containers are never launched.
        // Asynchronous
        // scheduling passes by nodes that miss their beats.
        conf.setInt(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, HOUR_MS);
        conf.setInt(YarnConfiguration.RM_NM_EXPIRY_INTERVAL_MS, 6 * HOUR_MS);
        conf.setInt(YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS, 6 * HOUR_MS);
        conf.setInt(YarnConfiguration.RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS, 6 * HOUR_MS);
        queues(conf);
        conf.setBoolean(CAPACITY + "schedule-asynchronously.enable", setting.asynchronous());
        if (setting.treadle()) {
            // Gangs come before the nodes that are to hold them.
            conf.setInt("yarn.scheduler.treadle.refuse-too-large.settle-seconds", HOUR_MS / 1000);
            conf.set(YarnConfiguration.RM_SCHEDULER, "io.treadle.rm.scheduler.TreadleScheduler");
            conf.set(CAPACITY + "root." + GANG_QUEUE + ".ordering-policy", "io.treadle.rm.gang.GangOrderingPolicy");
            conf.set(CAPACITY + "root." + GANG_QUEUE + ".treadle.policy", "srtf+synergy-balanced");
            conf.set(CAPACITY + "root." + GANG_QUEUE + ".treadle.placement", "consolidate");
        } else {
            conf.set(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class.getName());
        }
        return conf;
    }

    private static void queues(Configuration conf) {
        conf.set(CAPACITY + "resource-calculator", DominantResourceCalculator.class.getName());
        conf.set(CAPACITY + "maximum-am-resource-percent", "1.0");
        StringBuilder names = new StringBuilder(GANG_QUEUE);
        queue(conf, GANG_QUEUE, ML_PERCENT);
        for (int i = 0; i < QUEUES; i++) {
            names.append(',').append(plainQueue(i));
            queue(conf, plainQueue(i), (100 - ML_PERCENT) / QUEUES);
        }
        conf.set(CAPACITY + "root.queues", names.toString());
    }

    private static void queue(Configuration conf, String name, int percent) {
        conf.setInt(CAPACITY + "root." + name + ".capacity", percent);
        conf.setInt(CAPACITY + "root." + name + ".maximum-capacity", 100);
        conf.setInt(CAPACITY + "root." + name + ".user-limit-factor", 100);
    }
}
