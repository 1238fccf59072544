// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm;

import java.lang.invoke.MethodHandles;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.InMemoryPlan;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.RLESparseResourceAllocation;
import org.apache.hadoop.yarn.server.resourcemanager.reservation.planning.SimpleCapacityReplanner;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSAssignment;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Makes Hadoop's constants at the start of each JVM of tests. They get as many types of resources as there are when they are made,
 * and Hadoop fails where there are more later: a test would pass or fail by what ran before it.
 */
public final class AllResourceTypes implements LauncherSessionListener {
    /** As many as any test has. */
    public static final String TYPES =
            "yarn.io/gpu,treadle.io/gpu-memory,treadle.io/power,treadle.io/storage-bandwidth";

    /** All classes of Hadoop's ResourceManager and its libraries with a static field of type Resource, but FairScheduler. */
    static final List<Class<?>> CONSTANTS = List.of(
            Resources.class,
            CSAssignment.class,
            AbstractYarnScheduler.class,
            RLESparseResourceAllocation.class,
            InMemoryPlan.class,
            SimpleCapacityReplanner.class);

    /** For tests without a ResourceManager; the next test that starts one declares its own. */
    public static void declare() {
        Configuration conf = new Configuration(false);
        conf.set(YarnConfiguration.RESOURCE_TYPES, TYPES);
        var unused = ResourceUtils.resetResourceTypes(conf);
    }

    /** Those of YARN's alone are left, as at the start of a JVM. */
    public static void forget() {
        // Without a configuration Hadoop would remember how many there were.
        var unused = ResourceUtils.resetResourceTypes(new Configuration(false));
    }

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        declare();
        for (Class<?> constants : CONSTANTS) {
            try {
                MethodHandles.publicLookup().ensureInitialized(constants);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(constants + " is not public", e);
            }
        }
        forget();
    }
}
