// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Ledger;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/**
 * Where chosen jobs go. Those that keep their GPUs stay; the others come largest first, and where one finds no room, smaller
 * ones that stay make way for it and come after it.
 */
final class Arrangement {
    /**
     * What a job has in the end.
     *
     * @param choice perhaps with fewer GPUs than were chosen, where there was no room for as many
     * @param tasks where its tasks go; empty where they stay
     */
    record Place(Choice choice, List<TaskPlacement> tasks) {
        Place {
            tasks = List.copyOf(tasks);
        }

        boolean stays() {
            return tasks.isEmpty();
        }
    }

    private final Ledger ledger;
    private final Placement placement;
    private final Map<String, Integer> order = new HashMap<>();
    /** Jobs that stay, by id. */
    private final Map<String, Choice> staying = new LinkedHashMap<>();

    private final Map<Integer, List<Choice>> stayingOn = new HashMap<>();
    private final Map<String, Place> places = new HashMap<>();
    private final PriorityQueue<Choice> toPlace;

    Arrangement(Snapshot snapshot, Placement placement) {
        this.ledger = new Ledger(snapshot);
        this.placement = placement;
        this.toPlace = new PriorityQueue<>(Comparator.comparingLong((Choice choice) -> -choice.gpus())
                .thenComparingInt(choice -> order.getOrDefault(choice.job().id(), 0)));
    }

    /** By job; those that find no room are not in it. */
    Map<String, Place> of(List<Choice> choices) {
        for (Choice choice : choices) {
            order.put(choice.job().id(), order.size());
            if (choice.size() == choice.job().held()) {
                stay(choice);
            } else {
                toPlace.add(choice);
            }
        }
        while (!toPlace.isEmpty()) {
            Choice choice = toPlace.remove();
            if (!place(choice)
                    && !(makeRoom(choice) && place(choice))
                    && choice.size() > choice.job().least()) {
                toPlace.add(new Choice(choice.job(), choice.size() - 1, choice.cap()));
            }
        }
        staying.forEach((id, choice) -> places.put(id, new Place(choice, List.of())));
        return places;
    }

    private void stay(Choice choice) {
        staying.put(choice.job().id(), choice);
        for (RunningTask task : choice.job().job().tasks()) {
            ledger.indexOf(task.nodeId()).ifPresent(node -> {
                ledger.take(choice.job().id(), node, size(choice, task.size(), ledger.node(node)), task.devices());
                List<Choice> here = stayingOn.computeIfAbsent(node, n -> new ArrayList<>());
                if (!here.contains(choice)) {
                    here.add(choice);
                }
            });
        }
    }

    private void evict(Choice choice) {
        staying.remove(choice.job().id());
        for (RunningTask task : choice.job().job().tasks()) {
            ledger.indexOf(task.nodeId()).ifPresent(node -> {
                ledger.giveBack(choice.job().id(), node, size(choice, task.size(), ledger.node(node)), task.devices());
                stayingOn.getOrDefault(node, new ArrayList<>()).remove(choice);
            });
        }
        toPlace.add(choice);
    }

    /** What a task holds: as much of everything as before or as it asks for, and the watts of its GPUs' caps. */
    static ResourceVector size(Choice choice, ResourceVector ask, NodeView node) {
        boolean isKnown =
                node.capacity().watts() > 0 && choice.job().job().energy().isPresent();
        double cap = choice.job().energy().capWatts(choice.cap());
        return isKnown ? ask.withWatts(Math.round(cap * ask.gpus())) : ask;
    }

    private boolean place(Choice choice) {
        List<TaskGroup> tasks = choice.job().tasks(choice.size());
        Optional<List<TaskPlacement>> placed =
                placement.place(choice.job().job(), tasks, (group, node) -> size(choice, group.ask(), node), ledger);
        placed.ifPresent(found ->
                places.put(choice.job().id(), new Place(choice, isWhereItWas(choice, found) ? List.of() : found)));
        return placed.isPresent();
    }

    /** Whether a job that made way comes to where it was: then it has not moved. */
    private static boolean isWhereItWas(Choice choice, List<TaskPlacement> found) {
        return choice.size() == choice.job().held()
                && byNode(found.stream().map(TaskPlacement::nodeId).toList())
                        .equals(byNode(choice.job().job().tasks().stream()
                                .map(RunningTask::nodeId)
                                .toList()))
                && found.stream().allMatch(task -> task.devices().isEmpty());
    }

    private static Map<String, Long> byNode(List<String> nodes) {
        return nodes.stream().collect(Collectors.groupingBy(node -> node, Collectors.counting()));
    }

    /** Sends smaller jobs away from where that takes fewest GPUs; false where that makes no room. */
    private boolean makeRoom(Choice choice) {
        long largest = ledger.nodes().stream()
                .mapToLong(node -> node.capacity().gpus())
                .max()
                .orElse(0);
        List<Choice> away = choice.gpus() <= largest ? awayFromOne(choice) : awayFromMany(choice, largest);
        away.forEach(this::evict);
        return !away.isEmpty();
    }

    private List<Choice> awayFromOne(Choice choice) {
        List<Choice> best = List.of();
        long least = Long.MAX_VALUE;
        for (int node = 0; node < ledger.nodes().size(); node++) {
            long free = ledger.free(node).gpus();
            List<Choice> away = new ArrayList<>();
            for (Choice other : smallerOn(node, choice)) {
                if (free < choice.gpus()) {
                    away.add(other);
                    free += other.gpus();
                }
            }
            long moved = away.stream().mapToLong(Choice::gpus).sum();
            if (free >= choice.gpus() && moved < least && isAllowed(node, choice)) {
                least = moved;
                best = away;
            }
        }
        return best;
    }

    /** Those that are wholly on the node, the smallest first. */
    private List<Choice> smallerOn(int node, Choice choice) {
        String id = ledger.node(node).id();
        return stayingOn.getOrDefault(node, List.of()).stream()
                .filter(other -> other.gpus() < choice.gpus())
                .filter(other -> other.job().job().tasks().stream()
                        .allMatch(task -> task.nodeId().equals(id)))
                .sorted(Comparator.comparingLong(Choice::gpus))
                .toList();
    }

    private List<Choice> awayFromMany(Choice choice, long largest) {
        List<Integer> freeable = new ArrayList<>();
        for (int node = 0; node < ledger.nodes().size(); node++) {
            long held = smallerOn(node, choice).stream().mapToLong(Choice::gpus).sum();
            if (ledger.free(node).gpus() + held == largest && isAllowed(node, choice)) {
                freeable.add(node);
            }
        }
        long needed = (choice.gpus() + largest - 1) / largest;
        if (freeable.size() < needed) {
            return List.of();
        }
        return freeable.stream()
                .sorted(Comparator.comparingLong(
                        (Integer node) -> -ledger.free(node).gpus()))
                .limit(needed)
                .flatMap(node -> smallerOn(node, choice).stream())
                .toList();
    }

    private boolean isAllowed(int node, Choice choice) {
        NodeView view = ledger.node(node);
        return view.open() && !choice.job().job().avoidedNodes().contains(view.id());
    }
}
