// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.engine.OfferedLoad;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Traces;
import io.treadle.simulator.trace.Training;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** ElasticFlow's list of jobs of Microsoft's Philly, on clusters of several sizes and at several loads. */
final class PhillyList {
    private static final List<Double> LOADS = List.of(.7, 1.1);
    private static final int GPUS_OF_NODE = 8;
    /** On more nodes simulations take longer: of each knob every third point is run. */
    private static final int NODES_OF_ALL_POINTS = 8;

    private static final int EVERY_THIRD = 3;

    private PhillyList() {}

    /**
     * @param seed of the noise
     * @param nodes how many nodes of eight GPUs
     * @param most jobs, the first of the list
     * @throws InputException if the file cannot be used, or a job trains no model that is known
     */
    static List<PowerWork> works(Path file, long seed, List<Integer> nodes, int most) {
        List<PowerWork> works = new ArrayList<>();
        for (int count : nodes) {
            SimCluster cluster = PowerWork.cluster(count);
            List<TraceJob> jobs = Traces.read("elasticflow", file, cluster, false).jobs().stream()
                    .limit(most)
                    .toList();
            jobs.forEach(job -> check(file, job));
            OfferedLoad offered = new OfferedLoad(cluster, jobs);
            for (double load : LOADS) {
                List<TraceJob> scaled = offered.scaled(jobs, load);
                String name = "load " + load + " on " + count * GPUS_OF_NODE + " GPUs";
                works.add(new PowerWork(
                        "Philly list at " + name,
                        " on ElasticFlow's Philly list at " + name,
                        "ElasticFlow's Philly list at " + name,
                        cluster,
                        List.of(seed),
                        (from, noise) -> told(scaled, from, noise),
                        count <= NODES_OF_ALL_POINTS ? 1 : EVERY_THIRD));
            }
        }
        return works;
    }

    private static void check(Path file, TraceJob job) {
        if (job.energy().isEmpty()) {
            throw new InputException("job '" + job.id() + "' of " + file + " asks for " + job.gpus() + " GPUs"
                    + " and trains "
                    + job.training().map(t -> "'" + t.model() + "'").orElse("no model that is told")
                    + ": nobody knows what it draws. It must train a model with a batch size, on a power of two of GPUs"
                    + " of at most the batch size.");
        }
    }

    private static List<TraceJob> told(List<TraceJob> jobs, long seed, double noise) {
        if (noise < 0) {
            return jobs;
        }
        Random errors = new Random(~seed);
        return jobs.stream()
                .map(job -> {
                    Training training = job.training().orElseThrow();
                    return job.training(training.believed(MeasuredProfile.of(
                            training.model(),
                            training.batch(),
                            training.energy().orElseThrow(),
                            ClusterPower.A100,
                            noise,
                            errors)));
                })
                .toList();
    }
}
