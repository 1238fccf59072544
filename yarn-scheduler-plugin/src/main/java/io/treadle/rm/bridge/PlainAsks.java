// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.ProfilingTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/** Whether applications beside our jobs (MapReduce, Spark), or our jobs' ApplicationMasters, wait for vcores. */
final class PlainAsks {
    private final SchedulerAccess scheduler;
    private final RoundTasks tasks;
    private final ProfilingTime measured;
    private final GangReservations reservations;
    /** Of this round, by partition. */
    private final Map<String, Boolean> found = new HashMap<>();

    PlainAsks(SchedulerAccess scheduler, RoundTasks tasks, ProfilingTime measured, GangReservations reservations) {
        this.reservations = reservations;
        this.scheduler = scheduler;
        this.tasks = tasks;
        this.measured = measured;
    }

    void roundBegins() {
        found.clear();
    }

    /**
     * Looked at once in a round.
     *
     * @param gangs all jobs for nodes of the partition: what their tasks ask for is not counted
     */
    boolean wait(String partition, List<Gang> gangs) {
        return found.computeIfAbsent(partition, key -> look(partition, gangs));
    }

    private boolean look(String partition, List<Gang> gangs) {
        Map<String, List<Gang>> byQueue = gangs.stream().collect(Collectors.groupingBy(Gang::queue));
        RoomAtAsks rooms = new RoomAtAsks(scheduler, tasks, measured, reservations, partition, gangs);
        for (String path : scheduler.leafQueues()) {
            Optional<CSQueue> queue = scheduler.queue(path);
            if (queue.isPresent() && waitIn(queue.get(), partition, byQueue.getOrDefault(path, List.of()), rooms)) {
                return true;
            }
        }
        return false;
    }

    private boolean waitIn(CSQueue queue, String partition, List<Gang> gangs, RoomAtAsks rooms) {
        long pending = YarnResources.vector(queue.getQueueResourceUsage().getPending(partition))
                .vcores();
        if (pending == 0) {
            return false;
        }
        long ours =
                gangs.stream().mapToLong(gang -> tasks.pending(gang).vcores()).sum();
        // Who has reached the queue's limit waits for that.
        return pending > ours && rooms.of(queue).vcores() > 0;
    }
}
