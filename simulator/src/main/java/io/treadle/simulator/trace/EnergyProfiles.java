// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.energy.ModelZoo;
import java.util.Optional;

/** Tells jobs that train a known model how fast they are, and what they draw, on other numbers of GPUs and under caps. */
final class EnergyProfiles {
    /** The tables of the zoo go no further. */
    private static final long MOST_GPUS = 64;

    private EnergyProfiles() {}

    /**
     * The job with its profile, so that it takes its run time on the GPUs that it asks for at their default limit. The very
     * job where nobody knows what the cluster draws, or it keeps its number of GPUs: one that is no power of two or beyond
     * its batch, or whose tasks are not alike.
     */
    static TraceJob attach(TraceJob job, SimCluster cluster) {
        long gpus = job.gpus();
        boolean scales = job.work().ends()
                && job.groups().size() == 1
                && !job.isElastic()
                && Long.bitCount(gpus) == 1
                && gpus <= job.training().map(Training::batch).orElse(0L);
        return scales ? profile(job, cluster).map(energy -> with(job, energy)).orElse(job) : job;
    }

    private static Optional<EnergyProfile> profile(TraceJob job, SimCluster cluster) {
        Training training = job.training().orElseThrow();
        return cluster.power()
                .flatMap(power -> cluster.partitionOf(job.queue())
                        .flatMap(partition -> ModelZoo.profile(
                                training.model(),
                                training.batch(),
                                Math.min(partition.capacity().gpus(), Math.max(MOST_GPUS, job.gpus())),
                                power)))
                .filter(energy -> energy.sizeOf(job.gpus()) >= 0);
    }

    private static TraceJob with(TraceJob job, EnergyProfile energy) {
        Training training = job.training().orElseThrow();
        double iteration = energy.seconds(energy.sizeOf(job.gpus()), energy.caps() - 1);
        return job.training(new Training(
                training.model(), training.batch(), job.work().seconds() / iteration, iteration, Optional.of(energy)));
    }
}
