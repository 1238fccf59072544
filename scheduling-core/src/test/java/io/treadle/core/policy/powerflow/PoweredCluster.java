// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import io.treadle.core.cluster.Crossing;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Overheads;
import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.energy.CapDraw;
import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.model.energy.IterationTime;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;

/** Nodes of eight GPUs of 400 W, and training jobs on them. */
final class PoweredCluster {
    static final int GPUS_OF_NODE = 8;
    static final double[] CAPS = {150, 200, 250, 300, 350, 400};
    static final PowerView POWER = PowerView.unlimited(450, 55, 400);
    static final double RESCALE_SECONDS = 30;

    private PoweredCluster() {}

    static Snapshot of(int nodes, PowerView power, List<JobView> jobs) {
        List<NodeView> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            all.add(new NodeView(
                    "n" + i,
                    "r",
                    ResourceVector.of(GPUS_OF_NODE, 64, 65_536).withWatts(GPUS_OF_NODE * 400),
                    ResourceVector.ZERO,
                    ResourceVector.ZERO,
                    List.of(),
                    true));
        }
        ResourceVector capacity =
                all.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
        return new Snapshot(3_600_000, all, new QueueView("root.ml", capacity, ResourceVector.ZERO), jobs, true)
                .with(new Overheads(Crossing.NONE, RESCALE_SECONDS, RESCALE_SECONDS))
                .with(power);
    }

    /** Of a model whose times and draws are of the size of those that A100s were measured to have. */
    static EnergyProfile profile(Random random, int mostGpus) {
        IterationTime times = new IterationTime(
                0.05 * random.nextDouble(),
                0.001 + 0.004 * random.nextDouble(),
                0,
                0.01 * random.nextDouble(),
                0.01 * random.nextDouble(),
                GPUS_OF_NODE);
        return profile(times, 0.02 + 0.06 * random.nextDouble(), 250 + 400 * random.nextDouble(), mostGpus);
    }

    /** Of gradients that take 0.2 s on one GPU and an exchange that takes 0.02 s for each doubling. */
    static EnergyProfile scaling(int mostGpus) {
        return profile(new IterationTime(0, 0.2 / 128, 0, 0.02, 0.02, GPUS_OF_NODE), 0.06, 400, mostGpus);
    }

    private static EnergyProfile profile(IterationTime times, double sensitivity, double uncapped, int mostGpus) {
        int count = Integer.numberOfTrailingZeros(mostGpus) + 1;
        int[] gpus = new int[count];
        for (int i = 0; i < count; i++) {
            gpus[i] = 1 << i;
        }
        return new EnergyProfile(
                gpus,
                CAPS,
                (n, cap) -> gradient(times, sensitivity, n, cap) + times.exchangeSeconds(n),
                (n, cap) -> n
                        * EnergyProfile.draw(
                                CapDraw.softMinimum(cap, uncapped),
                                gradient(times, sensitivity, n, cap),
                                times.exchangeSeconds(n),
                                55),
                Confidence.HIGH);
    }

    private static double gradient(IterationTime times, double sensitivity, int gpus, double cap) {
        return times.gradientSeconds(128.0 / gpus)
                * (1 - sensitivity + sensitivity * Math.pow(CAPS[CAPS.length - 1] / cap, 3.5));
    }

    /** @param left seconds at one GPU; below 0 where nobody knows */
    static JobView job(String id, EnergyProfile energy, double left) {
        return job(id, energy, left, 1, energy.gpus(energy.sizes() - 1));
    }

    static JobView job(String id, EnergyProfile energy, double left, int min, int max) {
        return new JobView(
                id,
                0,
                List.of(new TaskGroup("worker", min, max, ResourceVector.of(1, 4, 1024), Set.of())),
                List.of(),
                Optional.empty(),
                false,
                left < 0 ? Progress.NONE : new Progress(0, left, 1, 0),
                Set.of(),
                OptionalDouble.empty(),
                0,
                Optional.of(energy));
    }

    /** The job with this many GPUs, at most eight on a node, node by node from the first given on. */
    static JobView running(JobView job, int gpus, long watts, int firstNode) {
        List<RunningTask> tasks = new ArrayList<>();
        for (int i = 0; i < gpus; i++) {
            tasks.add(new RunningTask(
                    job.id() + "#" + i,
                    "worker",
                    "n" + (firstNode + i / GPUS_OF_NODE),
                    ResourceVector.of(1, 4, 1024).withWatts(watts),
                    List.of()));
        }
        return job.withTasks(tasks);
    }

    /** Jobs of random models; some run, wherever there is room for them. */
    static List<JobView> random(Random random, int nodes, int count) {
        Map<Integer, Integer> free = new HashMap<>();
        for (int i = 0; i < nodes; i++) {
            free.put(i, GPUS_OF_NODE);
        }
        List<JobView> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            JobView job =
                    job("j" + i, profile(random, 1 << random.nextInt(6)), 60 * Math.exp(3 * random.nextGaussian()));
            int gpus = 1 << random.nextInt(4);
            int node = random.nextInt(nodes);
            if (gpus <= job.groups().get(0).max() && gpus <= free.getOrDefault(node, 0) && random.nextBoolean()) {
                free.merge(node, -gpus, Integer::sum);
                job = running(job, gpus, (long) CAPS[random.nextInt(CAPS.length)], node);
            }
            jobs.add(job);
        }
        return jobs;
    }
}
