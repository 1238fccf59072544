// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.resource.ResourceVector;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class StorageOfNodesTest {
    private static final List<NodeView> NODES =
            List.of(node("a:1", 500), node("b:1", 200), node("c:1", 100), node("d:1", 0));

    private static NodeView node(String id, long storageMBps) {
        ResourceVector capacity = new ResourceVector(4, 16, 65_536, 0, storageMBps, 0);
        return new NodeView(id, "/rack", capacity, ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true);
    }

    private static long slowest(String... nodes) {
        List<RunningTask> tasks = Arrays.stream(nodes)
                .map(node -> new RunningTask("task", "worker", node, ResourceVector.of(1, 1, 1), List.of()))
                .toList();
        return StorageOfNodes.slowest(
                tasks, NODES.stream().collect(Collectors.toMap(NodeView::id, Function.identity())));
    }

    @Test
    void theLeastOfTheNodesThatItRunsOn() {
        assertEquals(500, slowest("a:1"));
        assertEquals(200, slowest("a:1", "b:1", "a:1"));
        assertEquals(200, slowest("b:1", "gone:1"));
    }

    @Test
    void unknownWhereOneDoesNotTellOrItDoesNotRun() {
        assertEquals(0, slowest("a:1", "d:1"));
        assertEquals(0, slowest());
        assertEquals(0, slowest("gone:1"));
    }
}
