// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.rm.bridge.StorageOfNodes;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.JobStage;
import io.treadle.rm.profile.ZkTelemetry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells the keeper of profiles on which GPU model a job runs as soon as that is certain. */
final class ModelWatch {
    private final Optional<ZkTelemetry> zooKeeper;

    ModelWatch(Optional<ZkTelemetry> zooKeeper) {
        this.zooKeeper = zooKeeper;
    }

    /** Looks at the jobs of a new round; those that the snapshot leaves out wait. */
    void observe(Snapshot snapshot, List<Gang> jobs) {
        if (zooKeeper.isPresent()) {
            GpuModels models = new GpuModels(snapshot);
            Map<String, JobView> running = new HashMap<>();
            snapshot.jobs().stream().filter(JobView::running).forEach(j -> running.put(j.id(), j));
            for (Gang gang : jobs) {
                @Nullable JobView job = running.get(gang.id().toString());
                Optional<String> model = job == null ? models.of(gang.spec()) : models.of(job, List.of());
                model.ifPresent(m -> say(gang, m, job == null ? JobStage.BOUND : JobStage.RUNS));
                if (job != null) {
                    zooKeeper.get().jobReadsAt(job.id(), StorageOfNodes.slowest(job.tasks(), models.nodes()));
                }
            }
        }
    }

    /** The gang was granted with these tasks. */
    void started(Snapshot snapshot, Gang gang, List<TaskPlacement> tasks) {
        String id = gang.id().toString();
        snapshot.jobs().stream()
                .filter(j -> j.id().equals(id))
                .findFirst()
                .flatMap(job -> new GpuModels(snapshot).of(job, tasks))
                .ifPresent(model -> say(gang, model, JobStage.STARTS));
    }

    private void say(Gang gang, String model, JobStage stage) {
        zooKeeper.ifPresent(z -> z.jobPlaced(gang.id().toString(), gang.user(), gang.spec(), model, stage));
    }
}
