// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.demo.DemoJob;
import io.treadle.demo.Work;
import io.treadle.demo.WorkData;
import java.util.List;

/** The kinds of workers of the bench, each with one GPU. */
final class LiveKinds {
    /**
     * 37 % of its data are at hand in the memory that it asks for, and the disk gives 61 samples a second; its GPU could do
     * 98, with 61 % at hand, in 881 MiB. An epoch takes two seconds: a shorter time would not show its mean speed.
     */
    private static final WorkData READS = new WorkData(1024, 8192, 256, 640, 320);

    /** Its loaders' limit meets its GPU's at 6.5 vcores. */
    static final Work CPU = new Work("cpu-bound", 2.4, 49, 4);
    /** The same, once memory no longer holds it back. */
    static final Work READING = new Work("reading", 2, 41, 4).reading(READS);
    /** Less than a vcore feeds it. */
    static final Work GPU = new Work("gpu-bound", 0.1, 80, 4);

    static final List<Work> ALL = List.of(CPU, READING, GPU);

    private static final int LEAST_VCORES = 1;
    /** More than any worker does before it is killed. */
    private static final long ENDLESS = 10_000_000;

    private LiveKinds() {}

    /**
     * @param workers that start together
     * @param samples of the whole job
     * @param arrivalSeconds since the mix began
     */
    static DemoJob job(String name, Work work, int workers, long samples, double arrivalSeconds) {
        return new DemoJob(name, work, workers, 1, LEAST_VCORES, List.of(LiveNodes.GPU), samples, arrivalSeconds);
    }

    /** One worker, to be killed. */
    static DemoJob endless(String prefix, Work work) {
        return job(prefix + work.modelTag(), work, 1, ENDLESS, 0);
    }
}
