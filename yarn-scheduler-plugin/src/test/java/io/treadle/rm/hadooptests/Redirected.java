// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import io.treadle.rm.scheduler.TreadleScheduler;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.jspecify.annotations.Nullable;

/** Gives a TreadleScheduler for a CapacityScheduler, and counts: a run in which none was given has shown nothing. */
public final class Redirected {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private Redirected() {}

    /** {@code scheduler} itself unless it is a plain CapacityScheduler; subclasses that tests define are left alone. */
    public static @Nullable ResourceScheduler insteadOf(@Nullable ResourceScheduler scheduler, Configuration conf) {
        if (scheduler == null || scheduler.getClass() != CapacityScheduler.class) {
            return scheduler;
        }
        COUNT.incrementAndGet();
        return ReflectionUtils.newInstance(TreadleScheduler.class, conf);
    }

    /** Called after each redirected {@code new}. */
    public static void counted() {
        COUNT.incrementAndGet();
    }

    static int count() {
        return COUNT.get();
    }
}
