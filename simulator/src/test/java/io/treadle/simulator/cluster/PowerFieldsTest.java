// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PowerFieldsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private SimCluster read(String power) throws IOException {
        Path file = Files.writeString(
                directory.resolve("cluster.yaml"),
                "treadle-cluster: 1\nnodes:\n  - {name: n, count: 2, gpus: 8}\n" + power + "\n");
        return ClusterReader.read(file.toString());
    }

    @Test
    void nobodyKnowsUnlessItIsTold() throws IOException {
        assertEquals(Optional.empty(), read("name: lab").power());
        assertEquals(
                Optional.of(ClusterPower.A100), read("power: {nodeWatts: 450}").power());
        assertEquals(
                Optional.of(new ClusterPower(600, 30, 120, 300, 60)),
                read("power: {nodeWatts: 600, idleGpuWatts: 30, gpuWatts: 300, leastCapWatts: 120, capStepWatts: 60}")
                        .power());
        assertEquals(
                Optional.of(ClusterPower.V100),
                read("power: {idleGpuWatts: 25, gpuWatts: 250}").power());
    }

    /** Its nodes may draw what their GPUs do at their limits; so may those of a larger cluster of the kind. */
    @Test
    void nodesDrawWhatTheirGpusDo() throws IOException {
        SimCluster cluster = read("power: {gpuWatts: 300}");
        for (SimCluster sized : new SimCluster[] {cluster, ClusterSize.of(cluster, 5)}) {
            assertEquals(Optional.of(ClusterPower.of(450, 55, 300)), sized.power());
            sized.partitions()
                    .get(0)
                    .nodes()
                    .forEach(node -> assertEquals(2400, node.capacity().watts(), node.id()));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{leastCapWatts: 500} | line 4, 'power': leastCapWatts is 500, must be from 1 to 400 W, the GPUs' default"
                        + " limit.",
                "{gpuWatts: -1} | line 4, 'power.gpuWatts': is '-1', must be a whole number from 0 to 5000.",
                "{nodeWatts: 6000} | line 4, 'power.nodeWatts': is '6000', must be a whole number from 0 to 5000.",
                "{gpuWatts: 0} | line 4, 'power': gpuWatts is 0, must be from 1 to 5000 W.",
                "{watts: 3} | line 4: 'power.watts' is no field, must be one of [capStepWatts, gpuWatts, idleGpuWatts,"
                        + " leastCapWatts, nodeWatts].",
                "a100 | line 4, 'power': is 'a100', must be a mapping.",
            })
    void refusesContradictions(String power, String why) {
        String message = String.valueOf(assertThrows(InputException.class, () -> read("power: " + power))
                .getMessage());
        assertEquals(directory.resolve("cluster.yaml") + ", " + why, message);
    }
}
