// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ZkPaths;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;

/** What the nodes of an embedded cluster offer, as the ResourceManager and ZooKeeper know it. */
public final class NodeInventory {
    private final EmbeddedCluster cluster;

    public NodeInventory(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    /** Amounts by YARN's resource names, for each node by its short name; types of which a node has none are left out. */
    public Map<String, Map<String, Long>> capacities() {
        Map<String, Map<String, Long>> capacities = new LinkedHashMap<>();
        cluster.nodes().forEach(node -> capacities.put(node.name(), Map.of()));
        for (RMNode node : cluster.resourceManager().getRMContext().getRMNodes().values()) {
            Map<String, Long> amounts = new LinkedHashMap<>();
            for (ResourceInformation type : node.getTotalCapability().getResources()) {
                if (type.getValue() > 0) {
                    amounts.put(type.getName(), type.getValue());
                }
            }
            capacities.put(cluster.nodeName(node.getNodeID().toString()), amounts);
        }
        return capacities;
    }

    /**
     * What each node's plugin has published so far, by the node's short name.
     *
     * @throws Exception if ZooKeeper cannot be read
     */
    public Map<String, NodeRecord> records() throws Exception {
        Map<String, NodeRecord> records = new LinkedHashMap<>();
        try (CuratorFramework client =
                CuratorFrameworkFactory.newClient(cluster.zookeeperAddress(), new RetryOneTime(500))) {
            client.start();
            for (int i = 0; i < cluster.nodes().size(); i++) {
                String id = cluster.nodeManager(i).getNMContext().getNodeId().toString();
                String path = ZkPaths.node(id);
                String name = cluster.nodes().get(i).name();
                read(client, path).ifPresent(text -> records.put(name, NodeRecord.fromJson(path, text)));
            }
        }
        return records;
    }

    private static Optional<String> read(CuratorFramework client, String path) throws Exception {
        if (client.checkExists().forPath(path) == null) {
            return Optional.empty();
        }
        return Optional.of(new String(client.getData().forPath(path), StandardCharsets.UTF_8));
    }
}
