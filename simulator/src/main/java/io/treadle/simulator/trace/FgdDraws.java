// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.cluster.NodeView;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.random.GoRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What the simulator of FGD (Weng et al., USENIX ATC 2023; hkust-adsl/kubernetes-scheduler-simulator) draws from the seed
 * of an experiment before its first pod comes. Call in this order: its draws share one generator.
 *
 * <ol>
 *   <li>{@link #arrivals}: its pods come in random order;
 *   <li>{@link #again}, once per pod and once for the pod that would be too much: pods that come a second time, until as
 *       many GPUs are asked for as the experiment wants;
 *   <li>{@link #order}: of nodes that it scores alike it takes the one whose number in a random order is least.
 * </ol>
 */
final class FgdDraws {
    /**
     * Numbers that are drawn between the pods and the nodes, as its run of seed 42 shows: its Kubernetes scheduler starts
     * to watch one kind of objects after the other, and client-go draws the timeout of each watch ({@code
     * Reflector.ListAndWatch}) from the same generator.
     */
    private static final int WATCHES = 10;

    private final GoRandom random;

    FgdDraws(long seed) {
        random = new GoRandom(seed);
        // The first number goes to its log.
        random.next63();
    }

    /** Which of so many pods, by name, comes first, second and so on. */
    int[] arrivals(int pods) {
        return random.shuffle(pods);
    }

    /** Which of so many pods, by name, comes once more. */
    int again(int pods) {
        return random.below(pods);
    }

    /** The cluster with the nodes of each partition in the order in which they are preferred where they are alike. */
    SimCluster order(SimCluster cluster) {
        for (int i = 0; i < WATCHES; i++) {
            random.next63();
        }
        return new SimCluster(
                cluster.name(),
                cluster.partitions().stream()
                        .map(p -> new Partition(p.name(), order(p.nodes())))
                        .toList(),
                cluster.sharing());
    }

    private List<NodeView> order(List<NodeView> nodes) {
        List<NodeView> byName =
                nodes.stream().sorted(Comparator.comparing(NodeView::id)).toList();
        NodeView[] ordered = new NodeView[byName.size()];
        int[] numbers = random.permutation(byName.size());
        for (int i = 0; i < numbers.length; i++) {
            ordered[numbers[i]] = byName.get(i);
        }
        return Arrays.asList(ordered);
    }
}
