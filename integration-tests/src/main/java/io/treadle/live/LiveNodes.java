// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.cluster.DeviceShape;
import io.treadle.cluster.NodeShape;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.JobSpecs;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Nodes that are alike, as the simulator's job times are those at a node's share. What ApplicationMasters hold is set
 * aside, so that shares stay the same while they come and go, and the simulator, which has none, has the same shares.
 */
final class LiveNodes {
    static final String GPU = "V100-SXM2-16GB";
    static final int GPUS = 4;
    static final int VCORES_PER_GPU = 3;
    /** The most that one worker can have. */
    static final int MOST_VCORES = GPUS * VCORES_PER_GPU;

    /** So many ApplicationMasters of a vcore fit on a node before they cost shares. */
    static final int RESERVED_VCORES = 8;

    static final int SPARE_MIB = 512;

    private static final int COUNT = 3;
    /** Four ApplicationMasters and the spare leave a GPU 704 MiB: reading workers could use 881. */
    private static final int MEMORY_MIB = GPUS * 704 + 4 * (int) JobSpecs.APP_MASTER_MIB + SPARE_MIB;

    private static final int GPU_MIB = 16384;
    private static final int WATTS = 300;

    static final List<NodeShape> ALL = IntStream.rangeClosed(1, COUNT)
            .mapToObj(i -> new NodeShape(
                    "n" + i,
                    MEMORY_MIB,
                    MOST_VCORES + RESERVED_VCORES,
                    List.of(new DeviceShape(GPUS, GPU, GPU_MIB, WATTS))))
            .toList();

    /** The ResourceManager's, beside the demo's own. */
    static final Map<String, String> SETTINGS = Map.of(
            "yarn.scheduler.treadle.node.reserve-vcores",
            Integer.toString(RESERVED_VCORES),
            "yarn.scheduler.treadle.node.spare-memory-mb",
            Integer.toString(SPARE_MIB),
            // They are one machine.
            "yarn.scheduler.treadle.crossing-penalty",
            "0",
            // The product's own: the demo's jobs are measured less well.
            "treadle.profile.noise",
            "0.02",
            "treadle.profile.step-max-seconds",
            "8",
            // Else there would be no room for a worker to be tried at more than its share.
            "yarn.scheduler.capacity.root." + DemoCluster.queueOf(LiveBench.PROFILING) + ".treadle.placement",
            "free-gpu",
            // What workers wrote of their progress is read when they have ended.
            "yarn.nodemanager.delete.debug-delay-sec",
            "3600");

    private LiveNodes() {}

    /** vcores of all nodes that jobs can have. */
    static int vcores() {
        return COUNT * MOST_VCORES;
    }
}
