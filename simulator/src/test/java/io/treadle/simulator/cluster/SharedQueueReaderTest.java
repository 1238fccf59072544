// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.simulator.energy.QueueBudget;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queues with capacities of the cluster file. */
class SharedQueueReaderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    /** 40 GPUs. */
    private SimCluster read(String queues) throws IOException {
        Path file = Files.writeString(
                directory.resolve("cluster"),
                """
                treadle-cluster: 1
                nodes: [{name: n, count: 5, gpus: 8}]
                partitions:
                - name: all
                  nodes: [n]
                  queues: %s
                """
                        .formatted(queues));
        return ClusterReader.read(file.toString());
    }

    @Test
    void partsAreOfTheParents() throws IOException {
        SimCluster cluster =
                read("[{name: a, capacity: 60%, maximum: 80%, policy: sjf, queues: [{name: x, capacity: 50%},"
                        + " {name: y, capacity: 4, maximum: 50%, policy: las, priority: 2, takes: [why, '*']}]},"
                        + " {name: b, capacity: 10}]");
        Partition partition = cluster.partitions().get(0);
        assertEquals(
                List.of("root.a.x 12 32 0 sjf", "root.a.y 4 16 2 las", "root.b 10 40 0 -"),
                partition
                        .root()
                        .orElseThrow()
                        .leaves()
                        .map(queue -> queue.path() + " "
                                + queue.guarantee(partition.capacity()).gpus() + " "
                                + queue.most(partition.capacity()).gpus() + " " + queue.priority() + " "
                                + queue.policy().orElse("-"))
                        .toList());
        assertEquals(Set.of("x", "root.a.x", "why", "*", "b", "root.b"), partition.queues());
        assertEquals(
                List.of("all", "all"),
                Stream.of("x", "nobody knows")
                        .map(queue -> cluster.partitionOf(queue).orElseThrow().name())
                        .toList());
    }

    @Test
    void budgetsAreWattsOrShares() throws IOException {
        SimCluster cluster = read("[{name: a, capacity: 50%, powerBudget: 2.5kW}, {name: b, capacity: 20%, powerBudget:"
                + " 70%}, {name: c, capacity: 10%, powerBudget: 800}, {name: d, capacity: 10%}]");
        assertEquals(
                List.of("2500", "70%", "800", "-"),
                cluster.partitions()
                        .get(0)
                        .root()
                        .orElseThrow()
                        .leaves()
                        .map(queue -> queue.powerBudget().map(QueueBudget::text).orElse("-"))
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{name: a}] | 'partitions[0].queues[0]': is a mapping, must be a mapping with the field 'capacity'.",
                "[{name: a, capacity: much}] | 'partitions[0].queues[0].capacity': is 'much', must be a share such as"
                        + " 40%, or a whole number of GPUs from 0 to 40.",
                "[{name: a, capacity: 41}] | 'partitions[0].queues[0].capacity': is '41', must be a share such as 40%,"
                        + " or a whole number of GPUs from 0 to 40.",
                "[{name: a, capacity: 101%}] | 'partitions[0].queues[0].capacity': is '101%', must be at most 100%.",
                "[{name: a, capacity: 50%, maximum: 40%}] | 'partitions[0].queues[0].maximum': is '40%', must be no"
                        + " less than the queue's capacity.",
                "[{name: a, capacity: 60%}, {name: b, capacity: 60%}] | 'partitions[0].queues': is a list, must be such"
                        + " that the capacities are together no more than that of root.",
                "[{name: a, capacity: 10%}, {name: a, capacity: 10%}] | 'partitions[0].queues[1]': is a mapping, must be"
                        + " of a name of its own, not 'root.a' again.",
                "[{name: a.b, capacity: 10%}] | 'partitions[0].queues[0]': is a mapping, must be of a name without a"
                        + " dot, not 'a.b'.",
                "[a, {name: b, capacity: 10%}] | 'partitions[0].queues[0]': is 'a', must be a mapping.",
                "[{name: a, capacity: 50%, takes: [x]}, {name: x, capacity: 50%}] | 'partitions[0]': is a mapping, must"
                        + " be of queues of its own; 'x' is of 'all' already.",
                "[{name: a, capacity: 50%, powerBudget: 120%}] | 'partitions[0].queues[0].powerBudget': is '120%', must be"
                        + " watts such as 12000 or 12kW, or a share above 0% and at most 100% such as 70%.",
                "[{name: a, capacity: 50%, queues: []}] | 'partitions[0].queues[0].queues': is a list, must be a list of"
                        + " one queue or more.",
            })
    void saysWhatIsWrong(String queues, String message) {
        String told = assertThrows(InputException.class, () -> read(queues)).getMessage();
        assertEquals(message, String.valueOf(told).replaceFirst(".*, line \\d+, ", ""));
    }
}
