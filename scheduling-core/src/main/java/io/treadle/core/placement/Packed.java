// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import java.util.List;

/**
 * Each task on GPUs that are shared already, the fullest first; then on free GPUs of nodes in use; last on nodes of which
 * all GPUs are free, the smallest first (the GpuPacking of FGD's simulator, USENIX ATC 2023). Tasks that ask for no GPU go
 * to the first node that takes them.
 */
public final class Packed extends HighestScore {
    private static final long SHARED = 100;
    private static final long NODE_IN_USE = 50;
    private static final long NODE_FREE = 33;
    private static final long NO_GPUS = 0;

    @Override
    public String name() {
        return "packed";
    }

    @Override
    long score(Ledger ledger, int node, TaskGroup group, ResourceVector size) {
        long slice = group.ask().gpuMemoryMiB();
        if (size.gpus() == 0 && slice == 0) {
            return NO_GPUS;
        }
        NodeView view = ledger.node(node);
        long free = wholeFree(ledger, node);
        long all = view.devices().isEmpty()
                ? view.capacity().gpus()
                : view.devices().size();
        if (free == all) {
            // As there: of nodes with more than 16 GPUs, those with most come first.
            return Math.max(NODE_FREE - free, free);
        }
        if (slice == 0) {
            return Math.max(NODE_IN_USE - size.gpus(), NODE_FREE);
        }
        int fullest = ledger.devices().fullest(node, group);
        if (fullest < 0) {
            return NONE;
        }
        DeviceView device = view.devices().get(fullest);
        long freeMiB = ledger.devices().freeMiB(node, fullest);
        return freeMiB == device.memoryMiB()
                ? NODE_IN_USE - 1
                : Math.max(SHARED - freeMiB * 100 / device.memoryMiB() / 10, NODE_IN_USE);
    }

    private static long wholeFree(Ledger ledger, int node) {
        List<DeviceView> devices = ledger.node(node).devices();
        if (devices.isEmpty()) {
            return ledger.free(node).gpus();
        }
        long free = 0;
        for (int i = 0; i < devices.size(); i++) {
            free += ledger.devices().freeMiB(node, i) == devices.get(i).memoryMiB() ? 1 : 0;
        }
        return free;
    }
}
