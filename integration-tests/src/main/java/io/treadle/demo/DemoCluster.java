// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeInventory;
import io.treadle.cluster.NodeShape;
import io.treadle.cluster.QueueShape;
import io.treadle.core.wire.NodeRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** The demo's cluster: one queue for each policy, and what its nodes are. */
public final class DemoCluster {
    /** Jobs of a minute or two are measured quicker than those of a day: workers do many small samples. */
    private static final Map<String, String> PROFILING = Map.of(
            "treadle.am.heartbeat-ms", "250",
            "treadle.profile.step-min-seconds", "2",
            "treadle.profile.step-max-seconds", "4",
            "treadle.profile.settle-seconds", "0.8",
            "treadle.profile.grant-seconds", "2",
            "treadle.profile.noise", "0.08");

    private static final int POLLS = 240;
    private static final long POLL_MS = 250;

    private DemoCluster() {}

    /**
     * @param owner is given the cluster before it starts
     * @throws DemoException if the cluster does not come up
     * @throws InterruptedException if it was closed while it started
     */
    public static EmbeddedCluster start(
            List<NodeShape> nodes, List<String> policies, CpuShare share, Consumer<EmbeddedCluster> owner)
            throws InterruptedException {
        return start(nodes, policies, share, owner, Map.of());
    }

    /** The same with these settings over its own. */
    public static EmbeddedCluster start(
            List<NodeShape> nodes,
            List<String> policies,
            CpuShare share,
            Consumer<EmbeddedCluster> owner,
            Map<String, String> settings)
            throws InterruptedException {
        EmbeddedCluster.Builder builder = EmbeddedCluster.builder().vcoreCores(share.coresPerVcore());
        nodes.forEach(builder::node);
        policies.forEach(policy -> builder.queue(QueueShape.of(queueOf(policy), policy)));
        PROFILING.forEach(builder::setting);
        settings.forEach(builder::setting);
        try {
            return builder.start(owner);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new DemoException("the cluster did not start: " + e.getMessage(), e);
        }
    }

    /** Queue names may hold no plus sign. */
    public static String queueOf(String policy) {
        return policy.replace('+', '-');
    }

    /** Waits until every container is gone, so that the next run finds the cluster empty. */
    public static void awaitIdle(EmbeddedCluster cluster) throws InterruptedException {
        awaitContainers(cluster, 0);
    }

    /** Waits until no more containers than these are left. */
    public static void awaitContainers(EmbeddedCluster cluster, int most) throws InterruptedException {
        ResourceManager manager = cluster.resourceManager();
        for (int poll = 0; poll < POLLS; poll++) {
            if (manager.getResourceScheduler().getRootQueueMetrics().getAllocatedContainers() <= most) {
                return;
            }
            Thread.sleep(POLL_MS);
        }
    }

    /** The nodes for the report; waits a while for what their plugins publish. */
    public static List<DemoResult.Node> describe(EmbeddedCluster cluster) throws InterruptedException {
        NodeInventory inventory = new NodeInventory(cluster);
        Map<String, NodeRecord> records = Map.of();
        for (int poll = 0; poll < POLLS && records.size() < cluster.nodes().size(); poll++) {
            try {
                records = inventory.records();
            } catch (Exception e) {
                if (poll == POLLS - 1) {
                    throw new DemoException("the nodes' devices cannot be read from ZooKeeper: " + e.getMessage(), e);
                }
            }
            if (records.size() < cluster.nodes().size()) {
                Thread.sleep(POLL_MS);
            }
        }
        Map<String, Map<String, Long>> capacities = inventory.capacities();
        List<DemoResult.Node> nodes = new ArrayList<>();
        for (NodeShape shape : cluster.nodes()) {
            NodeRecord record = records.get(shape.name());
            List<DemoResult.Device> devices = record == null
                    ? List.of()
                    : record.devices().stream()
                            .map(device -> new DemoResult.Device(
                                    device.uuid(), device.model(), device.memoryMiB(), device.simulated()))
                            .toList();
            nodes.add(new DemoResult.Node(shape.name(), capacities.getOrDefault(shape.name(), Map.of()), devices));
        }
        return nodes;
    }
}
