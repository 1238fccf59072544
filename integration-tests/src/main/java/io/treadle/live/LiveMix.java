// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import static io.treadle.live.LiveKinds.CPU;
import static io.treadle.live.LiveKinds.GPU;
import static io.treadle.live.LiveKinds.READING;

import io.treadle.demo.DemoJob;
import io.treadle.demo.Work;
import java.util.List;

/** The jobs that come: GPUs are all taken soon after the start, and the last ones wait. */
final class LiveMix {
    static final List<DemoJob> USUAL = List.of(
            job("cpu-a", CPU, 1, 55, 0),
            job("gpu-b", GPU, 2, 50, 1),
            job("read-c", READING, 1, 55, 2),
            job("cpu-d", CPU, 2, 50, 3),
            job("gpu-e", GPU, 2, 45, 5),
            job("read-f", READING, 1, 60, 7),
            job("cpu-g", CPU, 1, 60, 9),
            job("gpu-h", GPU, 1, 40, 11),
            job("cpu-i", CPU, 2, 40, 13),
            job("read-j", READING, 1, 45, 16),
            job("cpu-k", CPU, 1, 50, 19));

    static final List<DemoJob> QUICK =
            List.of(job("cpu-a", CPU, 1, 8, 0), job("gpu-b", GPU, 2, 6, 0.5), job("read-c", READING, 1, 6, 1));

    private LiveMix() {}

    /** @param seconds how long it takes at the nodes' share, start-up not counted, if nothing but vcores holds it back */
    private static DemoJob job(String name, Work work, int workers, double seconds, double arrivalSeconds) {
        double rate = workers * work.samplesPerSecond(LiveNodes.VCORES_PER_GPU);
        return LiveKinds.job(name, work, workers, Math.round(rate * seconds), arrivalSeconds);
    }
}
