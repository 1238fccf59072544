// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.cluster.DeviceShape;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.cluster.QueueShape;
import io.treadle.demo.DemoException;
import java.util.List;
import java.util.function.Consumer;

/** Two nodes with simulated GPUs, a queue for services and one for jobs that train. */
public final class ServeCluster {
    /** Of services; nothing but Hadoop's own order, they stay until they are killed. */
    static final String SERVING = "serving";

    /** Of the job beside them. */
    public static final String TRAINING = "training";

    private static final String TRAINING_POLICY = "srtf+synergy-balanced";

    private static final List<NodeShape> NODES = List.of(
            new NodeShape("n1", 5120, 6, List.of(new DeviceShape(1, "T4", 15360, 70))),
            new NodeShape("n2", 5120, 6, List.of(new DeviceShape(2, "V100-SXM2-16GB", 16384, 300))));

    private ServeCluster() {}

    /**
     * @param owner is given the cluster before it starts
     * @throws DemoException if the cluster does not come up
     * @throws InterruptedException if it was closed while it started
     */
    public static EmbeddedCluster start(Consumer<EmbeddedCluster> owner) throws InterruptedException {
        EmbeddedCluster.Builder builder = EmbeddedCluster.builder()
                .queue(QueueShape.plain(SERVING))
                .queue(QueueShape.of(TRAINING, TRAINING_POLICY));
        NODES.forEach(builder::node);
        try {
            return builder.start(owner);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new DemoException("the cluster did not start: " + e.getMessage(), e);
        }
    }
}
