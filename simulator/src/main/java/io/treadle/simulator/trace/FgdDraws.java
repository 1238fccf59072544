// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.cluster.NodeView;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.random.GoRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What the simulator of FGD (Weng et al., USENIX ATC 2023; hkust-adsl/kubernetes-scheduler-simulator) draws from the seed
 * of an experiment before its first pod comes. Its draws share one generator: first the {@link #pods}, then the {@link
 * #order} of the nodes.
 */
final class FgdDraws {
    /**
     * Numbers that are drawn between the pods and the nodes, as its results of ten seeds show: its Kubernetes scheduler
     * starts to watch one kind of objects after the other, and client-go draws the timeout of each watch ({@code
     * Reflector.ListAndWatch}) from the same generator.
     */
    private static final int WATCHES = 10;

    private final GoRandom random;

    FgdDraws(long seed) {
        random = new GoRandom(seed);
        // The first number goes to its log.
        random.next63();
    }

    /**
     * The pods in the order in which they come: all in random order, then some taken away at random or, more often, some
     * that come a second time, until as many GPUs are asked for as the experiment wants.
     *
     * @param gpus of the cluster
     * @param load how many times these are to be asked for
     * @throws InputException if no pod asks for a GPU, or none is left
     */
    List<TraceJob> pods(List<TraceJob> list, long gpus, double load) {
        List<TraceJob> byName =
                list.stream().sorted(Comparator.comparing(TraceJob::id)).toList();
        List<TraceJob> come = new ArrayList<>();
        for (int place : random.shuffle(list.size())) {
            come.add(byName.get(place).named(byName.get(place).id(), come.size() * 1000L));
        }
        double wanted = load * (gpus * OpenbReader.CARD);
        long asked = come.stream().mapToLong(FgdDraws::parts).sum();
        if (asked == 0) {
            throw new InputException("--load needs pods that ask for GPUs: this list has none.");
        }
        if (asked > wanted) {
            takeAway(come, asked, wanted);
        } else if (asked < wanted) {
            addAgain(come, byName, asked, wanted);
        }
        if (come.isEmpty()) {
            throw new InputException(
                    "--load is '" + load + "': not one pod is as small as that on a cluster of " + gpus + " GPUs.");
        }
        return come;
    }

    private void takeAway(List<TraceJob> come, long asked, double wanted) {
        long left = asked;
        while (left > wanted) {
            left -= parts(come.remove(random.below(come.size())));
        }
    }

    private void addAgain(List<TraceJob> come, List<TraceJob> byName, long asked, double wanted) {
        long sum = asked;
        for (int again = 0; ; again++) {
            TraceJob pod = byName.get(random.below(byName.size()));
            // As there: whether a pod is too much is asked of one of its GPUs.
            if (sum + Math.min(parts(pod), OpenbReader.CARD) > wanted) {
                return;
            }
            sum += parts(pod);
            come.add(pod.named(pod.id() + OpenbReader.AGAIN + again, come.size() * 1000L));
        }
    }

    /** Makes the draws of {@link #pods} for so many pods of which so many came again. */
    void again(int pods, int again) {
        if (pods == 0) {
            return;
        }
        random.shuffle(pods);
        // One more than those that came: the one that was too much.
        for (int i = 0; i <= again; i++) {
            random.below(pods);
        }
    }

    private static long parts(TraceJob pod) {
        return pod.groups().stream()
                .mapToLong(g -> g.ask().gpus() * OpenbReader.CARD + g.ask().gpuMemoryMiB())
                .sum();
    }

    /** The cluster with the nodes of each partition in the order in which they are preferred where they are alike. */
    SimCluster order(SimCluster cluster) {
        for (int i = 0; i < WATCHES; i++) {
            random.next63();
        }
        return cluster.with(cluster.partitions().stream()
                .map(p -> p.withNodes(order(p.nodes())))
                .toList());
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
