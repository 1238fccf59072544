// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.simulator.input.Head;
import java.nio.file.Path;

/** What {@code iblinkinfo} prints, see {@link LinkList}: its hosts, with 8 GPUs each, because it tells nothing of GPUs. */
final class FabricHosts implements ClusterForm {
    private static final int GPUS = 8;

    @Override
    public String looksLike() {
        return "Switch: 0x<guid> <name>:, or CA: <host> <adapter>:";
    }

    @Override
    public boolean recognises(Head head) {
        return LinkList.isSwitch(head.first()) || head.first().startsWith("CA: ");
    }

    @Override
    public SimCluster read(Path file) {
        NodeList nodes = new NodeList(file);
        LinkList.read(file).racks().forEach((host, rack) -> nodes.add(host, rack, 0, 0, GPUS, ""));
        return SimCluster.ofAll(file, nodes.nodes());
    }
}
