// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The jobs of the demo. Models range from those whose loaders could use ten vcores for each GPU to those that need
 * one; lengths and arrivals vary with the seed, but the order and the pressure on the cluster do not: its GPUs are all
 * taken soon after the start and later jobs wait.
 */
final class JobMix {
    /** vcores for each GPU that the nodes have for jobs: lengths are meant at this share. */
    static final int SHARE_PER_GPU = 3;

    private static final Work RESNET = new Work("resnet-like", 2, 30, 4);
    private static final Work ALEXNET = new Work("alexnet-like", 2.4, 28, 4);
    private static final Work SPEECH = new Work("speech-like", 1.6, 50, 4);
    private static final Work BERT = new Work("bert-like", 0.25, 60, 4);
    private static final Work GNMT = new Work("gnmt-like", 0.2, 80, 4);

    private JobMix() {}

    static List<DemoJob> of(long seed) {
        Draw draw = new Draw(new SplittableRandom(seed));
        List<DemoJob> jobs = new ArrayList<>();
        jobs.add(draw.job("resnet-a", RESNET, 1, 1, 75, 0));
        jobs.add(draw.job("bert-b", BERT, 2, 2, 45, 1));
        jobs.add(draw.job("alexnet-c", ALEXNET, 1, 1, 75, 2));
        jobs.add(draw.job("gnmt-d", GNMT, 1, 2, 40, 3));
        jobs.add(draw.job("resnet-e", RESNET, 2, 1, 65, 4));
        jobs.add(draw.job("bert-f", BERT, 1, 4, 35, 5));
        jobs.add(draw.job("speech-g", SPEECH, 1, 1, 30, 18));
        jobs.add(draw.job("alexnet-h", ALEXNET, 1, 1, 30, 22));
        return List.copyOf(jobs);
    }

    private record Draw(SplittableRandom random) {
        /** @param seconds how long the job takes at the nodes' usual share, start-up not counted */
        DemoJob job(String name, Work work, int workers, int gpusPerWorker, double seconds, double arrival) {
            Work perWorker = new Work(
                    work.modelTag(), work.cpuMsPerSample(), work.gpuMsPerBatch() / gpusPerWorker, work.batch());
            double rate = workers * perWorker.samplesPerSecond(SHARE_PER_GPU * gpusPerWorker);
            long samples = Math.round(rate * seconds * (0.9 + 0.2 * random.nextDouble()));
            double delay = arrival == 0 ? 0 : arrival + 0.9 * random.nextDouble();
            return new DemoJob(name, perWorker, workers, gpusPerWorker, gpusPerWorker, samples, delay);
        }
    }
}
