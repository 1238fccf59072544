// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.function.Function;

/** How fast tasks are with what they hold beside their GPUs. */
final class TaskSpeeds {
    private TaskSpeeds() {}

    /** Of the slowest of a gang. */
    static double slowest(SensitivityMatrix profile, List<TaskPlacement> tasks, Function<String, NodeView> node) {
        double slowest = Double.MAX_VALUE;
        for (TaskPlacement task : tasks) {
            slowest = Math.min(slowest, speed(profile, node.apply(task.nodeId()), task.size()));
        }
        return slowest;
    }

    /** Of the slowest of a gang, as a multiple of the speed at its share of its node. */
    static double slowestToShare(
            SensitivityMatrix profile, List<TaskPlacement> tasks, Function<String, NodeView> node) {
        double slowest = Double.MAX_VALUE;
        for (TaskPlacement task : tasks) {
            NodeView on = node.apply(task.nodeId());
            double atShare = speed(profile, on, on.share(task.size().gpus()));
            slowest = Math.min(slowest, speed(profile, on, task.size()) / atShare);
        }
        return slowest;
    }

    /** Where nobody said what the node's storage gives, it is no limit. */
    private static double speed(SensitivityMatrix profile, NodeView node, ResourceVector size) {
        return node.capacity().storageMBps() > 0 && profile.readsStorage()
                ? profile.at(size.vcores(), size.memoryMiB(), size.storageMBps())
                : profile.at(size.vcores(), size.memoryMiB());
    }
}
