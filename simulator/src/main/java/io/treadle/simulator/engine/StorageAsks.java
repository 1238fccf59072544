// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.SharedStorage;
import io.treadle.core.job.TaskGroup;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.TraceJob;

/** Finds jobs that ask for more storage bandwidth than there ever is. */
final class StorageAsks {
    private StorageAsks() {}

    /** @throws InputException if the job could never run in the partition */
    static void check(SimCluster cluster, Partition partition, TraceJob job) {
        long all = 0;
        for (TaskGroup group : job.groups()) {
            long each = group.ask().storageMBps();
            all += group.min() * each;
            long room = each == 0
                    ? group.min()
                    : partition.nodes().stream()
                            .mapToLong(node -> node.capacity().count(group.ask()))
                            .sum();
            if (room < group.min()) {
                throw new InputException("job '" + job.id() + "' asks for " + group.min() + " tasks with "
                        + group.ask().describe() + ", the empty nodes of " + name(partition) + " have room for " + room
                        + ": it could never run.");
            }
        }
        long shared = cluster.sharedStorage(partition)
                .map(SharedStorage::megabytesPerSecond)
                .orElse(Long.MAX_VALUE);
        if (all > shared) {
            throw new InputException("job '" + job.id() + "' asks for " + all + " MB/s, the shared file system gives "
                    + name(partition) + " " + shared + " MB/s: it could never run.");
        }
    }

    private static String name(Partition partition) {
        return partition.name().isEmpty() ? "the cluster" : "partition " + partition.name();
    }
}
