// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.cluster.DeviceShape;
import io.treadle.cluster.NodeShape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The demo's cluster: four nodes whose GPUs differ in model, memory and number. */
final class DemoNodes {
    static final String A100 = "A100-SXM4-40GB";
    static final String V100 = "V100-SXM2-16GB";
    static final String T4 = "T4";
    static final String P100 = "P100-PCIE-12GB";

    static final List<NodeShape> ALL = List.of(
            new NodeShape("n1", 12288, 18, List.of(new DeviceShape(4, A100, 40960, 400))),
            new NodeShape("n2", 10240, 17, List.of(new DeviceShape(4, V100, 16384, 300))),
            new NodeShape("n3", 8192, 17, List.of(new DeviceShape(4, T4, 15360, 70))),
            new NodeShape("n4", 4096, 9, List.of(new DeviceShape(2, P100, 12288, 250))));

    private DemoNodes() {}

    static int vcores(List<NodeShape> nodes) {
        return nodes.stream().mapToInt(NodeShape::vcores).sum();
    }

    static int gpus(List<NodeShape> nodes) {
        return nodes.stream().mapToInt(NodeShape::gpus).sum();
    }

    /** {@code 4× A100-SXM4-40GB, 4× T4}. */
    static String describeDevices(List<NodeShape> nodes) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        nodes.forEach(
                node -> node.devices().forEach(shape -> counts.merge(shape.model(), shape.count(), Integer::sum)));
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + "× " + entry.getKey())
                .collect(Collectors.joining(", "));
    }
}
