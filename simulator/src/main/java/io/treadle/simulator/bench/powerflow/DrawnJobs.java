// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.energy.ModelZoo;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Training;
import io.treadle.simulator.trace.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;

/**
 * Training jobs that come at random times: models and batch sizes of the zoo alike often, as long as a log-normal draw says
 * on the GPUs that they ask for.
 */
final class DrawnJobs {
    private static final int[] REQUESTS = {1, 2, 4, 8, 16};
    /** How many of fifteen jobs ask for each. */
    private static final int[] FREQUENCIES = {5, 4, 3, 2, 1};

    private static final int ALL = 15;

    private static final double MEDIAN_SECONDS = 22 * 60;
    private static final double SIGMA = 1.2;
    private static final int MOST_GPUS = 64;

    private DrawnJobs() {}

    /**
     * @param perSecond jobs that come in a second on average
     * @param noise by how much what policies are told of each is off, as {@link MeasuredProfile} has it; below 0 for the
     *     truth
     */
    static List<TraceJob> draw(long seed, int count, double perSecond, ClusterPower power, double noise) {
        Random random = new Random(seed);
        // Of its own, so that the jobs are the same with any noise.
        Random errors = new Random(~seed);
        List<TraceJob> jobs = new ArrayList<>(count);
        double seconds = 0;
        for (int i = 0; i < count; i++) {
            seconds -= Math.log(1 - random.nextDouble()) / perSecond;
            String model = ModelZoo.names().get(random.nextInt(ModelZoo.names().size()));
            List<Long> batches = ModelZoo.batches(model);
            long batch = batches.get(random.nextInt(batches.size()));
            EnergyProfile energy =
                    ModelZoo.profile(model, batch, MOST_GPUS, power).orElseThrow();
            int gpus = request(random.nextInt(ALL));
            double length = MEDIAN_SECONDS * Math.exp(SIGMA * random.nextGaussian());
            TraceJob job = job(String.valueOf(i), Math.round(seconds * 1000), model, gpus, length, energy);
            jobs.add(
                    noise < 0
                            ? job
                            : job.training(job.training()
                                    .orElseThrow()
                                    .believed(MeasuredProfile.of(model, batch, energy, power, noise, errors))));
        }
        return jobs;
    }

    /** @param seconds how long it takes on the GPUs that it asks for, without a cap */
    static TraceJob job(String id, long submitMs, String model, int gpus, double seconds, EnergyProfile energy) {
        double iteration = energy.seconds(energy.sizeOf(gpus), energy.caps() - 1);
        TaskGroup group = new TaskGroup("worker", gpus, gpus, ResourceVector.of(1, 0, 0), Set.of());
        return new TraceJob(
                        id,
                        "",
                        submitMs,
                        List.of(group),
                        new Work(seconds / iteration, iteration),
                        Optional.empty(),
                        OptionalDouble.empty())
                .training(new Training(model, seconds / iteration, iteration, Optional.of(energy)));
    }

    private static int request(int draw) {
        int at = 0;
        for (int left = draw; left >= FREQUENCIES[at]; at++) {
            left -= FREQUENCIES[at];
        }
        return REQUESTS[at];
    }
}
