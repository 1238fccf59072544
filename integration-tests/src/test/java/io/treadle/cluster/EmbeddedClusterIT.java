// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.yarn.ResourceManager;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.Test;

/** Nodes of one embedded cluster differ, the ResourceManager sees them as they were asked for, and nothing is left. */
class EmbeddedClusterIT {
    private static final NodeShape BIG =
            new NodeShape("n1", 8192, 16, List.of(new DeviceShape(4, "A100-SXM4-40GB", 40960, 400)));
    private static final NodeShape SMALL = new NodeShape("n2", 4096, 10, List.of(new DeviceShape(2, "T4", 15360, 70)));
    private static final NodeShape CPU_ONLY = new NodeShape("n3", 2048, 4, List.of());

    @Test
    void stockNodesDiffer() throws Exception {
        Path workDirectory;
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .withoutPlugins()
                .node(BIG)
                .node(SMALL)
                .node(CPU_ONLY)
                .queue(QueueShape.plain("a"))
                .queue(QueueShape.plain("b"))
                .start()) {
            workDirectory = cluster.workDirectory();
            Map<String, Resource> capacities = capacities(cluster);
            for (NodeShape shape : List.of(BIG, SMALL, CPU_ONLY)) {
                Resource capacity = Objects.requireNonNull(capacities.get(shape.name()), shape.name());
                assertEquals(shape.memoryMiB(), capacity.getMemorySize(), shape.name());
                assertEquals(shape.vcores(), capacity.getVirtualCores(), shape.name());
                assertEquals(shape.gpus(), capacity.getResourceValue("yarn.io/gpu"), shape.name());
            }
            assertTrue(cluster.webAddress().matches("http://.+:[1-9][0-9]+"), cluster.webAddress());
            assertEquals(
                    Stream.of(BIG, SMALL, CPU_ONLY)
                            .map(shape -> ResourceVector.of(shape.gpus(), shape.vcores(), shape.memoryMiB()))
                            .collect(Collectors.toSet()),
                    asTheSimulatorSeesThem(cluster));
        }
        assertFalse(Files.exists(workDirectory), workDirectory + " must be gone");
    }

    /** GPUs, vcores and host memory of each node, as {@code treadle simulate --cluster URL} reads them. */
    private static Set<ResourceVector> asTheSimulatorSeesThem(EmbeddedCluster cluster) {
        Path answers = ResourceManager.at(cluster.webAddress()).nodes();
        return ClusterReader.read(answers.toString()).partitions().get(0).nodes().stream()
                .map(node -> ResourceVector.of(
                        node.capacity().gpus(),
                        node.capacity().vcores(),
                        node.capacity().memoryMiB()))
                .collect(Collectors.toSet());
    }

    private static Map<String, Resource> capacities(EmbeddedCluster cluster) throws Exception {
        try (YarnClient client = YarnClient.createYarnClient()) {
            client.init(cluster.configuration());
            client.start();
            return client.getNodeReports(NodeState.RUNNING).stream()
                    .collect(Collectors.toMap(
                            report -> cluster.nodeName(report.getNodeId().toString()), NodeReport::getCapability));
        }
    }
}
