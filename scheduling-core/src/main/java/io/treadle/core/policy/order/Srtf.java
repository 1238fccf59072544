// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import java.util.Comparator;

/**
 * Shortest remaining time first. A job whose remaining time is unknown is ordered by the GPU-seconds that it has
 * attained for each of its GPUs: what has run briefly is taken to be short, as least-attained service does.
 */
public final class Srtf implements Order {
    @Override
    public String name() {
        return "srtf";
    }

    @Override
    public Comparator<JobView> comparator(Snapshot snapshot) {
        return Comparator.comparingDouble(Srtf::seconds).thenComparingLong(JobView::submitMs);
    }

    private static double seconds(JobView job) {
        return job.progress()
                .remainingSeconds()
                .orElseGet(() -> job.progress().attainedGpuSeconds() / Math.max(1, job.gpus()));
    }
}
