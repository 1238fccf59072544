// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Cells.Cell;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Buddy cells (HiveD, OSDI 2020): a job that a cell of one node could hold takes the smallest free cell that holds all of
 * it, and waits while there is none, however many GPUs are free elsewhere; of cells of the same size, the first in the
 * snapshot's order. What it leaves of the cell is split, and cells that are free again merge. Any other job takes nodes of
 * which all GPUs are free: on the rack with fewest of them that takes it, else on several racks, those with most of them
 * first.
 */
public final class Buddy implements Placement {
    @Override
    public String name() {
        return "buddy";
    }

    @Override
    public boolean tellsGpusApart() {
        return true;
    }

    @Override
    public Optional<List<TaskPlacement>> place(JobView job, List<TaskGroup> tasks, TaskSizer sizer, Ledger ledger) {
        Attempt attempt = new Attempt(job, sizer, ledger);
        long gpus = 0;
        for (TaskGroup task : tasks) {
            gpus += task.ask().gpus();
        }
        if (gpus == 0) {
            return placeAnywhere(attempt, tasks, ledger);
        }
        return couldHold(attempt, tasks, gpus, sizer, ledger)
                ? placeInCell(attempt, tasks, gpus, ledger)
                : WholeNodes.place(attempt, tasks, ledger, node -> Cells.isWhole(ledger, node));
    }

    /** Where no cell is asked for: one node after the other, in the snapshot's order. */
    private static Optional<List<TaskPlacement>> placeAnywhere(Attempt attempt, List<TaskGroup> tasks, Ledger ledger) {
        for (TaskGroup task : tasks) {
            int node = 0;
            while (node < ledger.nodes().size() && !attempt.tryOn(node, task)) {
                node++;
            }
            if (node == ledger.nodes().size()) {
                return attempt.undo();
            }
        }
        return attempt.result();
    }

    /** Whether a cell of one node could take all tasks if nothing ran there. */
    private static boolean couldHold(
            Attempt attempt, List<TaskGroup> tasks, long gpus, TaskSizer sizer, Ledger ledger) {
        for (int node = 0; node < ledger.nodes().size(); node++) {
            if (attempt.allows(node) && hasCell(node, tasks, gpus, ledger)) {
                ResourceVector all = ResourceVector.ZERO;
                for (TaskGroup task : tasks) {
                    all = all.plus(sizer.size(task, ledger.node(node)));
                }
                if (all.fitsIn(ledger.node(node).capacity())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean hasCell(int node, List<TaskGroup> tasks, long gpus, Ledger ledger) {
        if (ledger.node(node).capacity().gpus() < gpus) {
            return false;
        }
        for (Cell cell : Cells.usable(ledger, node)) {
            if (cell.size() >= gpus && accepted(cell, tasks, ledger) >= gpus) {
                return true;
            }
        }
        return false;
    }

    /** GPUs of the cell that will do for all tasks. */
    private static long accepted(Cell cell, List<TaskGroup> tasks, Ledger ledger) {
        if (cell.start() < 0) {
            return tasks.stream().noneMatch(TaskGroup::choosesDevices) ? cell.size() : 0;
        }
        return ledger.node(cell.node()).devices().subList(cell.start(), cell.start() + cell.size()).stream()
                .filter(device -> tasks.stream().allMatch(task -> task.accepts(device.model())))
                .count();
    }

    private static Optional<List<TaskPlacement>> placeInCell(
            Attempt attempt, List<TaskGroup> tasks, long gpus, Ledger ledger) {
        List<Cell> cells = new ArrayList<>();
        FreeGpus byFree = ledger.byFreeGpus();
        for (int node = byFree.first(gpus); node >= 0; node = byFree.after(node)) {
            for (Cell cell : Cells.free(ledger, node)) {
                if (cell.size() >= gpus) {
                    cells.add(cell);
                }
            }
        }
        cells.sort(
                Comparator.comparingInt(Cell::size).thenComparingInt(Cell::node).thenComparingInt(Cell::start));
        for (Cell cell : cells) {
            if (tryIn(cell, attempt, tasks, ledger)) {
                return attempt.result();
            }
        }
        return Optional.empty();
    }

    private static boolean tryIn(Cell cell, Attempt attempt, List<TaskGroup> tasks, Ledger ledger) {
        for (TaskGroup task : tasks) {
            if (!attempt.tryOn(cell.node(), task, devices(cell, task, ledger))) {
                attempt.undo();
                return false;
            }
        }
        return true;
    }

    /** The first free GPUs of the cell; empty where they are too few, or not of a model that the task accepts. */
    private static Optional<List<DeviceShare>> devices(Cell cell, TaskGroup task, Ledger ledger) {
        if (cell.start() < 0 || task.ask().gpus() == 0) {
            return ledger.chooseDevices(cell.node(), task);
        }
        List<DeviceShare> chosen = new ArrayList<>();
        for (int gpu = cell.start(); gpu < cell.start() + cell.size(); gpu++) {
            DeviceView device = ledger.node(cell.node()).devices().get(gpu);
            if (chosen.size() < task.ask().gpus()
                    && Cells.isFree(ledger, cell.node(), gpu)
                    && task.accepts(device.model())) {
                chosen.add(new DeviceShare(device.uuid(), device.memoryMiB(), true));
            }
        }
        return chosen.size() < task.ask().gpus() ? Optional.empty() : Optional.of(chosen);
    }
}
