// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
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
import java.util.stream.Stream;

/**
 * Where chosen jobs go. Those that keep their GPUs stay; the others come largest first, and where one finds no room, smaller
 * ones that stay move away for it, if all of them find room elsewhere.
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
    /** Tasks that are placed anew, by job. */
    private final Map<String, List<TaskPlacement>> charged = new HashMap<>();

    private final PriorityQueue<Choice> toPlace;

    Arrangement(Snapshot snapshot, Pinned pinned, Placement placement) {
        this.ledger = new Ledger(snapshot);
        this.placement = placement;
        this.toPlace = new PriorityQueue<>(Comparator.comparingLong((Choice choice) -> -choice.gpus())
                .thenComparingInt(choice -> order.getOrDefault(choice.job().id(), 0)));
        snapshot.jobs().stream().filter(pinned::holds).forEach(this::pin);
    }

    /** It stays, at the sizes that it has. */
    private void pin(JobView job) {
        for (RunningTask task : job.tasks()) {
            ledger.indexOf(task.nodeId()).ifPresent(node -> ledger.take(job.id(), node, task.size(), task.devices()));
        }
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
                    && !placeWhereOthersMakeWay(choice)
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
                ledger.take(choice.job().id(), node, size(choice, task, ledger.node(node)), task.devices());
                List<Choice> here = stayingOn.computeIfAbsent(node, n -> new ArrayList<>());
                if (!here.contains(choice)) {
                    here.add(choice);
                }
            });
        }
    }

    private void leave(Choice choice) {
        staying.remove(choice.job().id());
        for (RunningTask task : choice.job().job().tasks()) {
            ledger.indexOf(task.nodeId()).ifPresent(node -> {
                ledger.giveBack(choice.job().id(), node, size(choice, task, ledger.node(node)), task.devices());
                stayingOn.getOrDefault(node, new ArrayList<>()).remove(choice);
            });
        }
    }

    /**
     * What a task holds: as much of everything as before or as it asks for, and the watts of its GPUs' caps.
     *
     * @param has what it holds, or else asks for
     * @param leastWatts what it asks for, W
     */
    static ResourceVector size(Choice choice, ResourceVector has, long leastWatts, NodeView node) {
        boolean isKnown =
                node.capacity().watts() > 0 && choice.job().job().energy().isPresent();
        double cap = choice.job().energy().capWatts(choice.cap());
        return isKnown ? has.withWatts(Math.max(leastWatts, Math.round(cap * has.gpus()))) : has;
    }

    static ResourceVector size(Choice choice, RunningTask task, NodeView node) {
        long leastWatts = choice.job().job().group(task.group()).ask().watts();
        return size(choice, task.size(), leastWatts, node);
    }

    private boolean place(Choice choice) {
        Optional<List<TaskPlacement>> placed = placement.place(
                choice.job().job(),
                choice.job().tasks(choice.size()),
                (group, node) -> size(choice, group.ask(), group.ask().watts(), node),
                ledger);
        placed.ifPresent(found -> {
            places.put(choice.job().id(), new Place(choice, isWhereItWas(choice, found) ? List.of() : found));
            charged.put(choice.job().id(), found);
        });
        return placed.isPresent();
    }

    private void takeBack(Choice choice) {
        places.remove(choice.job().id());
        List<TaskPlacement> tasks = charged.remove(choice.job().id());
        for (TaskPlacement task : tasks == null ? List.<TaskPlacement>of() : tasks) {
            ledger.giveBack(
                    choice.job().id(), ledger.indexOf(task.nodeId()).orElseThrow(), task.size(), task.devices());
        }
    }

    /** Smaller jobs move away for it, if all of them find another place; else everything stays as it was. */
    private boolean placeWhereOthersMakeWay(Choice choice) {
        List<Choice> away = away(choice).stream()
                .distinct()
                .sorted(Comparator.comparingLong((Choice other) -> -other.gpus()))
                .toList();
        if (away.isEmpty()) {
            return false;
        }
        away.forEach(this::leave);
        List<Choice> placed = new ArrayList<>();
        if (place(choice)) {
            placed.add(choice);
            for (Choice other : away) {
                if (place(other)) {
                    placed.add(other);
                }
            }
        }
        if (placed.size() == away.size() + 1) {
            return true;
        }
        placed.forEach(this::takeBack);
        away.forEach(this::stay);
        return false;
    }

    /** Whether a job that made way comes to where it was: then it has not moved. */
    private static boolean isWhereItWas(Choice choice, List<TaskPlacement> found) {
        return choice.size() == choice.job().held()
                && counted(found.stream().map(task -> task.group() + '@' + task.nodeId()))
                        .equals(counted(
                                choice.job().job().tasks().stream().map(task -> task.group() + '@' + task.nodeId())))
                && found.stream().allMatch(task -> task.devices().isEmpty());
    }

    private static Map<String, Long> counted(Stream<String> places) {
        return places.collect(Collectors.groupingBy(place -> place, Collectors.counting()));
    }

    /** Smaller jobs where fewest GPUs have to go for it to find room; none where that makes no room. */
    private List<Choice> away(Choice choice) {
        long largest = ledger.nodes().stream()
                .mapToLong(node -> node.capacity().gpus())
                .max()
                .orElse(0);
        return choice.gpus() <= largest ? awayFromOne(choice) : awayFromMany(choice, largest);
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
        if (largest == 0) {
            return List.of();
        }
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
