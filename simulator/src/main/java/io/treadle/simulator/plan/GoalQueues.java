// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.cluster.CapacitySplit;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SharedQueue;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Queues with capacities that have goals, and those beside them.
 *
 * @param split of what their parent is sure to get
 * @param byQueue goals of each queue that has some
 */
record GoalQueues(CapacitySplit split, Map<SharedQueue, List<Goal>> byQueue) {
    /** @throws InputException if the goals' queues are not below one, or there is nothing to split among them */
    static GoalQueues of(PlanRequest request, List<Goal> goals) {
        if (request.mostNodes().isPresent()) {
            throw new InputException("--most-nodes is given, but --find quota splits capacities here, no nodes.");
        }
        SimCluster cluster = request.replay().workload().cluster();
        Partition partition = cluster.partitions().get(0);
        SharedQueue root = partition.root().orElseThrow();
        Map<SharedQueue, List<Goal>> byQueue = new LinkedHashMap<>();
        for (Goal goal : goals) {
            String name = goal.queue()
                    .orElseThrow(() -> new InputException("--find quota needs goals of queues, '" + goal.text()
                            + "' is of all jobs.\nMaybe 'queue "
                            + request.replay().workload().jobs().get(0).queue() + ": " + goal.text() + "'."));
            byQueue.computeIfAbsent(taker(root, name), queue -> new ArrayList<>())
                    .add(goal);
        }
        GoalQueues queues = new GoalQueues(new CapacitySplit(cluster, partition, parent(root, byQueue)), byQueue);
        queues.check();
        return queues;
    }

    private static SharedQueue taker(SharedQueue root, String name) {
        Map<String, SharedQueue> takers = new LinkedHashMap<>();
        root.leaves().forEach(leaf -> leaf.takes().forEach(taken -> takers.put(taken, leaf)));
        return Optional.ofNullable(takers.get(name))
                .orElseGet(() -> Objects.requireNonNull(takers.get(SharedQueue.ALL_OTHERS), name));
    }

    private static SharedQueue parent(SharedQueue root, Map<SharedQueue, List<Goal>> byQueue) {
        List<SharedQueue> queues = List.copyOf(byQueue.keySet());
        return parents(root).stream()
                .filter(parent -> parent.children().containsAll(queues))
                .findFirst()
                .orElseThrow(() -> new InputException("--find quota splits the capacity of one queue among those below"
                        + " it, but the goals are of "
                        + queues.stream().map(SharedQueue::path).collect(Collectors.joining(", "))
                        + ".\nMaybe one call for each parent, with the goals of the queues below it."));
    }

    private static List<SharedQueue> parents(SharedQueue queue) {
        List<SharedQueue> parents = new ArrayList<>();
        if (!queue.children().isEmpty()) {
            parents.add(queue);
            queue.children().forEach(child -> parents.addAll(parents(child)));
        }
        return parents;
    }

    private void check() {
        String path = split.parent().path();
        List<SharedQueue> sharing = siblings().stream()
                .filter(queue -> byQueue.containsKey(queue) || queue.capacity() > 0)
                .toList();
        if (split.parent().capacity() == 0) {
            throw new InputException("--find quota: queue " + path + " has no capacity to split.");
        }
        if (sharing.size() < 2 || sharing.size() > Splits.ALL) {
            throw new InputException("--find quota splits the capacity of " + path + " in whole percents, among "
                    + sharing.size() + " queues it cannot; must be 2 to " + Splits.ALL
                    + " that have a goal or a capacity.");
        }
        for (SharedQueue queue : sharing) {
            if (split.most(queue) < 1) {
                throw new InputException("--find quota: the maximum of queue " + queue.path()
                        + ", or of one below it, allows less than 1 % of " + path + "'s capacity.");
            }
        }
        int most = sharing.stream().mapToInt(split::most).sum();
        if (most < Splits.ALL) {
            throw new InputException("--find quota: the maxima of the queues below " + path + " allow "
                    + Shares.shown(most) + " of its capacity together, must be 100 % or more.");
        }
    }

    /** All queues below the parent. */
    List<SharedQueue> siblings() {
        return split.parent().children();
    }

    /** Those that have goals, in the order of the cluster's file. */
    List<SharedQueue> wanted() {
        return siblings().stream().filter(byQueue::containsKey).toList();
    }

    List<Goal> goals(SharedQueue queue) {
        return byQueue.getOrDefault(queue, List.of());
    }

    Splits splits() {
        return new Splits(siblings().stream()
                .map(queue -> new Splits.Queue(split.now(queue), split.most(queue), byQueue.containsKey(queue)))
                .toList());
    }
}
