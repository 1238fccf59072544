// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BuddyTest {
    private static final TaskSizer AS_ASKED = (group, node) -> group.ask();

    /** Jobs come and go; each is held to cells found by looking at every aligned part of every node. */
    @Test
    void noCellIsSplitWhereASmallerOneWouldDo() {
        int placed = 0;
        int refused = 0;
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            // There is a cell for every job, if nothing ran there.
            List<NodeView> nodes = new ArrayList<>(List.of(node("sound", "", 4, false)));
            for (int i = 0; i < 1 + random.nextInt(4); i++) {
                nodes.add(node("n" + i, "", List.of(4, 6, 8, 8, 16).get(random.nextInt(5)), random.nextInt(8) == 0));
            }
            Ledger ledger = ledger(nodes);
            List<TaskPlacement> running = new ArrayList<>();
            for (int step = 0; step < 60; step++) {
                if (random.nextBoolean() && !running.isEmpty()) {
                    TaskPlacement over = running.remove(random.nextInt(running.size()));
                    int node = ledger.indexOf(over.nodeId()).orElseThrow();
                    ledger.giveBack("job", node, over.size(), over.devices());
                    continue;
                }
                int gpus = 1 + random.nextInt(4);
                int smallest = smallestFreeCell(ledger, gpus);
                Optional<List<TaskPlacement>> found = place(ledger, group(1, gpus));
                String context = "seed " + seed + ", step " + step + ", " + gpus + " GPUs";
                assertEquals(smallest < Integer.MAX_VALUE, found.isPresent(), context);
                refused += found.isPresent() ? 0 : 1;
                if (found.isPresent()) {
                    TaskPlacement task = found.get().get(0);
                    assertEquals(gpus, task.devices().size(), context);
                    // Looked at again as it was before.
                    int node = ledger.indexOf(task.nodeId()).orElseThrow();
                    ledger.giveBack("job", node, task.size(), task.devices());
                    assertEquals(smallest, cellAround(ledger, node, task.devices()), context);
                    ledger.take("job", node, task.size(), task.devices());
                    running.add(task);
                    placed++;
                }
            }
        }
        assertTrue(placed > 5000 && refused > 100, placed + " placed, " + refused + " refused");
    }

    private static int smallestFreeCell(Ledger ledger, int gpus) {
        int smallest = Integer.MAX_VALUE;
        for (int node = 0; node < ledger.nodes().size(); node++) {
            for (int gpu = 0; gpu < ledger.node(node).devices().size(); gpu++) {
                int cell = largestFreeAround(ledger, node, gpu);
                smallest = cell >= gpus ? Math.min(smallest, cell) : smallest;
            }
        }
        return smallest;
    }

    private static int cellAround(Ledger ledger, int node, List<DeviceShare> devices) {
        List<String> names =
                ledger.node(node).devices().stream().map(DeviceView::uuid).toList();
        List<Integer> places =
                devices.stream().map(device -> names.indexOf(device.uuid())).toList();
        int cell = largestFreeAround(ledger, node, places.get(0));
        assertTrue(places.stream().allMatch(place -> place / cell == places.get(0) / cell), () -> "apart: " + places);
        return cell;
    }

    /** The largest part that begins at a multiple of its length, holds the GPU and is free; 0 where the GPU is not. */
    private static int largestFreeAround(Ledger ledger, int node, int gpu) {
        List<DeviceView> devices = ledger.node(node).devices();
        int largest = 0;
        for (int size = 1; size <= devices.size(); size *= 2) {
            int start = gpu / size * size;
            boolean free = start + size <= devices.size();
            for (int i = start; free && i < start + size; i++) {
                free = devices.get(i).usable()
                        && ledger.devices().freeMiB(node, i) == devices.get(i).memoryMiB();
            }
            largest = free ? size : largest;
        }
        return largest;
    }

    /** Pairs at both ends of a node are free: 4 GPUs, and no cell of 4. */
    @Test
    void aJobWaitsForACellThoughGpusAreFree() {
        Ledger ledger = ledger(List.of(node("n", "", 8, false)));
        take(ledger, 0, 2, 3, 4, 5);
        assertTrue(place(ledger, group(1, 4)).isEmpty());
        assertTrue(place(ledger, group(4, 1)).isEmpty(), "a gang that one node could hold is not torn apart");
        assertEquals(List.of("n/0", "n/1"), names(place(ledger, group(1, 2))));
    }

    /** Rack a has three free nodes, b has two; two nodes on each have a GPU taken. */
    @Test
    void gangsOfSeveralNodesGetWholeNodesOfOneRack() {
        List<NodeView> nodes = new ArrayList<>();
        for (String name : List.of("a0", "a1", "a2", "a3", "a4", "b0", "b1", "b2", "b3")) {
            nodes.add(node(name, name.substring(0, 1), 8, false));
        }
        Ledger ledger = ledger(nodes);
        for (int node : List.of(0, 1, 5, 6)) {
            take(ledger, node, 7);
        }
        assertEquals(List.of("b2", "b3"), nodes(place(ledger, group(2, 8))));
        assertEquals(List.of("a2", "a3"), nodes(place(ledger, group(2, 6))), "whole nodes, even for 6 GPUs each");
        assertEquals(Optional.empty(), place(ledger, group(2, 8)), "one node is left");
    }

    @Test
    void gangsTooLargeForARackStartWhereMostNodesAreFree() {
        List<NodeView> nodes = new ArrayList<>();
        for (String name : List.of("a0", "b0", "b1", "c0")) {
            nodes.add(node(name, name.substring(0, 1), 8, false));
        }
        assertEquals(List.of("b0", "b1", "a0"), nodes(place(ledger(nodes), group(3, 8))));
    }

    /** The free GPUs of nodes that tell only how many they have are taken to lie together: 6 are cells of 4 and 2. */
    @Test
    void whereOnlyTheNumberIsKnownItIsSplitByPowersOfTwo() {
        Ledger ledger = ledger(List.of(counted("six", 6), counted("eight", 8)));
        assertEquals(List.of("six"), nodes(place(ledger, group(1, 2))));
        assertEquals(List.of("six"), nodes(place(ledger, group(1, 3))));
        assertEquals(List.of("eight"), nodes(place(ledger, group(1, 2))));
        // A node of six has no cell of five or six: they are a job for the node as a whole.
        assertEquals(List.of("six"), nodes(place(ledger(List.of(counted("six", 6), counted("four", 4))), group(1, 6))));
    }

    private static void take(Ledger ledger, int node, int... gpus) {
        List<DeviceShare> devices = new ArrayList<>();
        for (int gpu : gpus) {
            DeviceView device = ledger.node(node).devices().get(gpu);
            devices.add(new DeviceShare(device.uuid(), device.memoryMiB(), true));
        }
        ledger.take("other", node, ResourceVector.of(gpus.length, 0, 0), devices);
    }

    private static Optional<List<TaskPlacement>> place(Ledger ledger, TaskGroup group) {
        JobView job =
                new JobView("job", 0, List.of(group), List.of(), Optional.empty(), false, Progress.NONE, Set.of());
        List<TaskGroup> tasks = new ArrayList<>();
        for (int i = 0; i < group.min(); i++) {
            tasks.add(group);
        }
        return new Buddy().place(job, tasks, AS_ASKED, ledger);
    }

    private static List<String> names(Optional<List<TaskPlacement>> tasks) {
        return tasks.orElseThrow().get(0).devices().stream()
                .map(DeviceShare::uuid)
                .toList();
    }

    private static List<String> nodes(Optional<List<TaskPlacement>> tasks) {
        return tasks.orElseThrow().stream().map(TaskPlacement::nodeId).toList();
    }

    private static TaskGroup group(int tasks, int gpus) {
        return new TaskGroup("worker", tasks, tasks, ResourceVector.of(gpus, 0, 0), Set.of());
    }

    private static Ledger ledger(List<NodeView> nodes) {
        ResourceVector all = nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
        return new Ledger(new Snapshot(
                0, nodes, new QueueView("q", all, ResourceVector.ZERO), List.of(), ResourceVector.ZERO, false));
    }

    private static NodeView counted(String id, int gpus) {
        return new NodeView(
                id, "", ResourceVector.of(gpus, 0, 0), ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true);
    }

    /** @param broken whether its second GPU cannot be used */
    private static NodeView node(String id, String rack, int gpus, boolean broken) {
        List<DeviceView> devices = new ArrayList<>();
        for (int i = 0; i < gpus; i++) {
            devices.add(new DeviceView(id + "/" + i, "", 1, 0, !broken || i != 1));
        }
        return new NodeView(
                id, rack, ResourceVector.of(gpus, 0, 0), ResourceVector.ZERO, ResourceVector.ZERO, devices, true);
    }
}
