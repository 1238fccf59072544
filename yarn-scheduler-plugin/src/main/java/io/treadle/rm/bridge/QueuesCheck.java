// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.conf.QueueSettings;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** Checks the settings of every queue while a new configuration can still be refused. */
public final class QueuesCheck {
    private QueuesCheck() {}

    /**
     * The settings of the queues that are there.
     *
     * @throws IOException if a setting of ours is unknown or has a value that cannot be used; the message names it
     */
    public static void check(CapacityScheduler scheduler) throws IOException {
        Map<String, CSQueue> queues =
                scheduler.getCapacitySchedulerQueueManager().getQueues();
        check(scheduler.getConfiguration(), queues::containsKey, () -> {
            for (CSQueue queue : queues.values()) {
                QueueSettings.check(queue.getQueuePath(), QueueLookUp.of(scheduler, queue));
            }
        });
    }

    /**
     * The settings of the queues that the configuration names, where the scheduler has the queues of the configuration before. Queues
     * that are made by templates have settings in a configuration of their own, which is not there yet.
     *
     * @throws IOException as {@link #check}
     */
    public static void checkBeforeQueuesChange(CapacityScheduler scheduler) throws IOException {
        Configuration conf = scheduler.getConfiguration();
        Set<String> named = ConfiguredQueues.of(conf);
        Map<String, CSQueue> before =
                scheduler.getCapacitySchedulerQueueManager().getQueues();
        check(conf, path -> named.contains(path) || before.containsKey(path), () -> {
            for (String path : named) {
                QueueSettings.check(path, conf::get);
            }
        });
    }

    private static void check(Configuration conf, Predicate<String> isQueue, Runnable eachQueue) throws IOException {
        try {
            for (Map.Entry<String, String> setting : conf) {
                String key = setting.getKey();
                QueueSettings.checkKey(key, isQueue);
                if (QueueSettings.isKnown(key)) {
                    // The entry has the value as it is written, in which variables may stand.
                    QueueSettings.checkValue(key, conf.get(key));
                }
            }
            eachQueue.run();
        } catch (IllegalArgumentException e) {
            throw new IOException("treadle: " + e.getMessage(), e);
        }
    }
}
