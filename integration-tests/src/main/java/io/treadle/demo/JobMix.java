// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The jobs of the demo. Models range from those whose loaders could use six vcores for each GPU to those that need
 * one; lengths and arrivals vary with the seed, but the order and the pressure on the cluster do not: its GPUs are all
 * taken soon after the start and later jobs wait.
 */
final class JobMix {
    /** vcores for each GPU that the nodes have for jobs: lengths are meant at this share. */
    static final int SHARE_PER_GPU = 3;

    /**
     * With the memory that a worker asks for, 37 % of its data are at hand, and the disk gives 61 samples a second: enough
     * for the usual share of vcores, but not for more. 61 % at hand, in 1506 MiB, are enough for all that the GPU can do.
     */
    private static final WorkData READS = new WorkData(2048, 8192, 256, 1024, 320);

    // The loaders' limit meets the GPU's at 6.5 vcores,
    private static final Work RESNET = new Work("resnet-like", 2, 20.5, 2).reading(READS);
    private static final Work ALEXNET = new Work("alexnet-like", 2.4, 24.5, 2);
    // at 5,
    private static final Work MOBILENET = new Work("mobilenet-like", 2, 25.5, 2);
    private static final Work SPEECH = new Work("speech-like", 1.6, 20.5, 2).reading(READS);
    // and below 1.
    private static final Work BERT = new Work("bert-like", 0.1, 80, 4);
    private static final Work GNMT = new Work("gnmt-like", 0.08, 100, 4);

    private JobMix() {}

    /**
     * By arrival. Jobs name GPU models as users do; so each node gets jobs of both kinds.
     */
    static List<DemoJob> of(long seed) {
        Draw draw = new Draw(new SplittableRandom(seed));
        return List.of(
                draw.job("alexnet-a", ALEXNET, 1, 1, List.of(DemoNodes.T4), 110, 0),
                draw.job("mobilenet-b", MOBILENET, 1, 1, List.of(DemoNodes.P100), 100, 1),
                draw.job("bert-c", BERT, 1, 2, List.of(DemoNodes.A100), 26, 2),
                draw.job("gnmt-d", GNMT, 1, 2, List.of(DemoNodes.V100), 26, 3),
                draw.job("bert-e", BERT, 4, 1, List.of(DemoNodes.T4, DemoNodes.P100), 26, 5),
                draw.job("resnet-f", RESNET, 1, 1, List.of(DemoNodes.A100), 110, 7),
                draw.job("alexnet-g", ALEXNET, 1, 1, List.of(DemoNodes.V100), 110, 9),
                draw.job("speech-h", SPEECH, 2, 1, List.of(DemoNodes.A100, DemoNodes.V100), 68, 18),
                draw.job("resnet-i", RESNET, 1, 1, List.of(DemoNodes.T4), 58, 22));
    }

    private record Draw(SplittableRandom random) {
        /** @param seconds how long the job takes at the nodes' usual share, start-up not counted */
        DemoJob job(
                String name,
                Work work,
                int workers,
                int gpusPerWorker,
                List<String> gpuModels,
                double seconds,
                double arrival) {
            Work perWorker = new Work(
                    work.modelTag(),
                    work.cpuMsPerSample(),
                    work.gpuMsPerBatch() / gpusPerWorker,
                    work.batch(),
                    work.data());
            double rate = workers * perWorker.samplesPerSecond(SHARE_PER_GPU * gpusPerWorker);
            long samples = Math.round(rate * seconds * (0.92 + 0.16 * random.nextDouble()));
            double delay = arrival == 0 ? 0 : arrival + 0.9 * random.nextDouble();
            return new DemoJob(name, perWorker, workers, gpusPerWorker, 1, gpuModels, samples, delay);
        }
    }
}
