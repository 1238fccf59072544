// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import io.treadle.core.job.Sizing;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.Layer;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.model.ps.LayeredPsModel.Overlap;
import io.treadle.core.model.ps.ServerLinks;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * Jobs with workers and parameter servers, at random times: sizes of models, networks and machines as papers of SMD's authors
 * have them (OASiS, A(r)DL; from memory), and how jobs are sensitive to time: a tenth not at all, 55 % somewhat, the rest
 * much.
 */
public final class ServerJobs {
    private static final int MIB_A_GIB = 1024;
    private static final double SECONDS_AN_HOUR = 3600;

    private final Random random;

    private ServerJobs(long seed) {
        this.random = new Random(seed);
    }

    /** @param perHour jobs that come in an hour on average */
    public static List<TraceJob> draw(long seed, int count, double perHour) {
        ServerJobs jobs = new ServerJobs(seed);
        List<TraceJob> all = new ArrayList<>(count);
        double seconds = 0;
        for (int i = 0; i < count; i++) {
            seconds -= Math.log(1 - jobs.random.nextDouble()) * SECONDS_AN_HOUR / perHour;
            all.add(jobs.job(String.valueOf(i), Math.round(seconds * 1000)));
        }
        return all;
    }

    /** One that comes at once. */
    public static List<TraceJob> atOnce(long seed, int count) {
        ServerJobs jobs = new ServerJobs(seed);
        List<TraceJob> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(jobs.job(String.valueOf(i), 0));
        }
        return all;
    }

    private TraceJob job(String id, long submitMs) {
        LayeredPsModel model = model();
        int gpus = random.nextInt(3) == 2 ? 2 : 1;
        ResourceVector worker = ResourceVector.of(gpus, whole(2, 8), (long) whole(8, 32) * MIB_A_GIB);
        ResourceVector server = ResourceVector.of(0, whole(1, 4), (long) whole(4, 16) * MIB_A_GIB);
        int pairs = pick(4, 8, 12, 16);
        TaskGroup workers = new TaskGroup("worker", 1, pick(8, 16, 16, 32), worker, Set.of());
        TaskGroup servers = new TaskGroup("ps", 1, pick(8, 16), server, Set.of());
        double samples = whole(2_000, 40_000) * model.batch();
        return new TraceJob(
                        id,
                        "",
                        submitMs,
                        List.of(workers, servers),
                        new Work(samples, 1 / model.samplesPerSecond(1, 1)),
                        Optional.empty(),
                        OptionalDouble.empty())
                .with(new Sizing(
                        utility(),
                        Optional.of(model),
                        Optional.of(worker.plus(server).times(pairs))));
    }

    private LayeredPsModel model() {
        int count = whole(4, 30);
        double[] compute = new double[count];
        double[] gradients = new double[count];
        for (int l = 0; l < count; l++) {
            compute[l] = Math.pow(random.nextDouble(), 2) + 0.02;
            gradients[l] = Math.pow(random.nextDouble(), 3) + 0.01;
        }
        double perSample = between(0.002, 0.02) / DoubleStream.of(compute).sum();
        double bytes = between(30e6, 575e6) / DoubleStream.of(gradients).sum();
        List<Layer> layers = new ArrayList<>(count);
        for (int l = 0; l < count; l++) {
            double seconds = perSample * compute[l];
            layers.add(new Layer(seconds / 3, seconds * 2 / 3, 2e-5, 3e-5, bytes * gradients[l]));
        }
        return new LayeredPsModel(
                layers,
                new ServerLinks(between(12.5e6, 625e6) + 3e8, between(625e6, 2500e6), 1e-11, 1e-4, 1e-4),
                Mode.SYNC,
                Overlap.WAIT_FREE,
                pick(128, 256, 512));
    }

    private Utility utility() {
        double weight = between(1, 100);
        double kind = random.nextDouble();
        double decay = kind < 0.1 ? 0 : kind < 0.65 ? between(0.01, 1) : between(4, 6);
        return new Utility(weight, decay, OptionalDouble.of(between(1, 15)));
    }

    private double between(double least, double most) {
        return least + (most - least) * random.nextDouble();
    }

    private int whole(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    private int pick(int... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
