// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** On nodes of what storage bandwidth a job was measured: the ApplicationMaster, which measures it, does not know. */
public final class StorageOfNodes {
    private StorageOfNodes() {}

    /**
     * The least that a node of these tasks advertises, MB/s; 0 where one does not, or there are no tasks.
     *
     * @param nodes by id
     */
    public static long slowest(List<RunningTask> tasks, Map<String, NodeView> nodes) {
        return tasks.stream()
                .map(task -> nodes.get(task.nodeId()))
                .filter(Objects::nonNull)
                .mapToLong(node -> node.capacity().storageMBps())
                .min()
                .orElse(0);
    }

    /** The profile of a job that runs, or has run, on such nodes; one that says so itself stays as it is. */
    public static ProfileRecord measured(ProfileRecord profile, long nodeMBps) {
        return profile.withDataset(profile.dataset().map(data -> data.measuredOn(nodeMBps)));
    }
}
