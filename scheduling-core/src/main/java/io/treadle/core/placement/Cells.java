// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The free cells of nodes: as HiveD (OSDI 2020) has it, a node's GPUs are halved again and again, and a cell is a part
 * of a power of two of them. A free cell is one of which all GPUs are free and that is not half of another such cell.
 */
final class Cells {
    /**
     * @param start the place of its first GPU on the node; −1 where only the number of free GPUs is known, which are then
     *     taken to lie together
     * @param size GPUs
     */
    record Cell(int node, int start, int size) {}

    private Cells() {}

    /** Those of one node, in the order of its GPUs. */
    static List<Cell> free(Ledger ledger, int node) {
        return of(ledger, node, ledger.free(node).gpus(), gpu -> isFree(ledger, node, gpu));
    }

    /** Those that the node would have if nothing ran on it. */
    static List<Cell> usable(Ledger ledger, int node) {
        NodeView view = ledger.node(node);
        return of(ledger, node, view.capacity().gpus(), gpu -> view.devices()
                .get(gpu)
                .usable());
    }

    /** Whether all GPUs of the node that can be used are free. */
    static boolean isWhole(Ledger ledger, int node) {
        List<Cell> free = free(ledger, node);
        return !free.isEmpty() && free.equals(usable(ledger, node));
    }

    static boolean isFree(Ledger ledger, int node, int gpu) {
        DeviceView device = ledger.node(node).devices().get(gpu);
        return device.usable() && ledger.devices().freeMiB(node, gpu) == device.memoryMiB();
    }

    private static List<Cell> of(Ledger ledger, int node, long count, IntPredicate has) {
        List<Cell> cells = new ArrayList<>();
        int gpus = ledger.node(node).devices().size();
        for (int left = gpus == 0 ? Math.toIntExact(Math.max(0, count)) : 0; left > 0; ) {
            int size = Integer.highestOneBit(left);
            cells.add(new Cell(node, -1, size));
            left -= size;
        }
        for (int start = 0; start < gpus; ) {
            int size = Integer.highestOneBit(gpus - start);
            collect(new Cell(node, start, size), has, cells);
            start += size;
        }
        return cells;
    }

    private static void collect(Cell cell, IntPredicate has, List<Cell> cells) {
        if (IntStream.range(cell.start(), cell.start() + cell.size()).allMatch(has)) {
            cells.add(cell);
        } else if (cell.size() > 1) {
            int half = cell.size() / 2;
            collect(new Cell(cell.node(), cell.start(), half), has, cells);
            collect(new Cell(cell.node(), cell.start() + half, half), has, cells);
        }
    }
}
