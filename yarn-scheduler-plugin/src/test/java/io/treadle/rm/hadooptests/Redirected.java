// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import io.treadle.rm.scheduler.TreadleScheduler;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.jspecify.annotations.Nullable;

/** Gives ours for a CapacityScheduler, and counts: a run in which none was given has shown nothing. */
public final class Redirected {
    /** By names, in the form of class files: to load the classes before the agent stands would be too early. */
    private static final Map<String, String> CLASSES = Map.of(
            "org/apache/hadoop/yarn/server/resourcemanager/scheduler/capacity/CapacityScheduler",
            "io/treadle/rm/scheduler/TreadleScheduler",
            "org/apache/hadoop/yarn/server/resourcemanager/monitor/capacity/ProportionalCapacityPreemptionPolicy",
            "io/treadle/rm/bridge/GangPreemptionPolicy");

    private static final AtomicInteger COUNT = new AtomicInteger();

    private Redirected() {}

    static boolean isRedirected(String type) {
        return CLASSES.containsKey(type);
    }

    static String target(String type) {
        return CLASSES.getOrDefault(type, type);
    }

    /** {@code scheduler} itself unless it is a plain CapacityScheduler. */
    public static @Nullable ResourceScheduler insteadOf(@Nullable ResourceScheduler scheduler, Configuration conf) {
        if (scheduler == null || scheduler.getClass() != CapacityScheduler.class) {
            return scheduler;
        }
        COUNT.incrementAndGet();
        return ReflectionUtils.newInstance(TreadleScheduler.class, conf);
    }

    /** Called after each redirected constructor. */
    public static void counted() {
        COUNT.incrementAndGet();
    }

    static int count() {
        return COUNT.get();
    }
}
