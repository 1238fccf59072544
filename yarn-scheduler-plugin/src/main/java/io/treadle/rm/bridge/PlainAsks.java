// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/** Whether applications beside our jobs (MapReduce, Spark), or our jobs' ApplicationMasters, wait for vcores. */
final class PlainAsks {
    private PlainAsks() {}

    /** @param gangs all jobs for nodes of the partition: what their tasks ask for is not counted */
    static boolean wait(SchedulerAccess scheduler, String partition, List<Gang> gangs) {
        for (String path : scheduler.leafQueues()) {
            Optional<CSQueue> queue = scheduler.queue(path);
            if (queue.isPresent() && waitIn(queue.get(), scheduler, partition, gangs)) {
                return true;
            }
        }
        return false;
    }

    private static boolean waitIn(CSQueue queue, SchedulerAccess scheduler, String partition, List<Gang> gangs) {
        long pending = YarnResources.vector(queue.getQueueResourceUsage().getPending(partition))
                .vcores();
        if (pending == 0) {
            return false;
        }
        long ours = gangs.stream()
                .filter(gang -> gang.queue().equals(queue.getQueuePath()))
                .mapToLong(gang -> vcores(gang, scheduler))
                .sum();
        // Who has reached the queue's limit waits for that.
        ResourceVector left = QueueLimits.limit(queue, partition).minus(QueueLimits.used(queue, partition));
        return pending > ours && left.vcores() > 0;
    }

    private static long vcores(Gang gang, SchedulerAccess scheduler) {
        return scheduler
                .app(gang.id())
                .map(app -> {
                    LiveTasks tasks = new LiveTasks(app, gang.spec().groups().size());
                    long pending = 0;
                    for (int i = 0; i < gang.spec().groups().size(); i++) {
                        pending += tasks.pending(i)
                                * gang.spec().groups().get(i).resources().vcores();
                    }
                    return pending;
                })
                .orElse(0L);
    }
}
