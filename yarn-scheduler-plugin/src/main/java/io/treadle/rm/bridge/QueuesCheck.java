// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.conf.QueueSettings;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** Checks the settings of every queue while a new configuration can still be refused. */
public final class QueuesCheck {
    private QueuesCheck() {}

    /** @throws IOException if a setting of ours is unknown or has a value that cannot be used; the message names it */
    public static void check(CapacityScheduler scheduler) throws IOException {
        Map<String, CSQueue> queues =
                scheduler.getCapacitySchedulerQueueManager().getQueues();
        try {
            Configuration settings = scheduler.getConfiguration();
            for (Map.Entry<String, String> setting : settings) {
                String key = setting.getKey();
                QueueSettings.checkKey(key, queues::containsKey);
                if (QueueSettings.isKnown(key)) {
                    // The entry has the value as it is written, in which variables may stand.
                    QueueSettings.checkValue(key, settings.get(key));
                }
            }
            for (CSQueue queue : queues.values()) {
                QueueSettings.check(queue.getQueuePath(), QueueLookUp.of(scheduler, queue));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("treadle: " + e.getMessage(), e);
        }
    }
}
