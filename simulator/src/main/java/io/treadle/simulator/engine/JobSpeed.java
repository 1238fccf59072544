// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.trace.TraceJob;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How fast a job is with what its tasks hold. */
final class JobSpeed {
    private final TraceJob job;
    private final long gpus;
    private final boolean isElastic;
    private final CardSpeeds cards;
    private final JobDraw draw;
    private final @Nullable ServerSpeed servers;

    /** @param cards how fast those are that it may run on */
    JobSpeed(TraceJob job, CardSpeeds cards, JobDraw draw) {
        this.job = job;
        this.gpus = job.gpus();
        this.isElastic = job.isElastic();
        this.cards = cards;
        this.draw = draw;
        this.servers = job.sizing()
                .model()
                .map(model -> new ServerSpeed(model, job.groups()))
                .orElse(null);
    }

    /** The most that its profile knows, 1 at its share. */
    double ideal() {
        return job.profile().map(SensitivityMatrix::best).orElse(1.0);
    }

    /** The same on the cluster's fastest cards. */
    double idealOnFastest() {
        return ideal() * cards.fastest();
    }

    /**
     * How much faster than at its share on the trace's cards, with the tasks that it needs, a job runs whose tasks hold
     * this: each as fast as the slowest by CPU, memory and storage, on the slowest of its cards. Of a job that tells what its
     * speed depends on, how much faster than in its run time.
     */
    double of(List<TaskPlacement> tasks, Function<String, NodeView> node) {
        double scaled = cards.slowest(tasks) * scaling(tasks);
        if (job.profile().isEmpty()) {
            return scaled;
        }
        SensitivityMatrix profile = job.profile().get();
        return scaled
                * (job.work().sensitivity().isPresent()
                        ? TaskSpeeds.slowest(profile, tasks, node)
                        : TaskSpeeds.slowestToShare(profile, tasks, node));
    }

    /** How much faster it is with these tasks than with those that it needs, were all cards alike. */
    private double scaling(List<TaskPlacement> tasks) {
        if (servers != null) {
            return servers.of(tasks);
        }
        if (job.energy().isPresent()) {
            return draw.speedup(tasks, gpus);
        }
        return isElastic ? job.work().speedup(tasks.size(), job.tasks()) : 1;
    }
}
