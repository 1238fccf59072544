// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Fragmentation gradient descent: each task where it leaves the fewest GPUs that the tasks that usually come cannot use
 * (Weng et al., Beware of Fragmentation, USENIX ATC 2023). Where it is not told what usually comes, the jobs of the
 * queue, waiting and running, stand for that.
 */
public final class Fgd extends HighestScore {
    private final Optional<TypicalTasks> expected;

    public Fgd() {
        this(Optional.empty());
    }

    private Fgd(Optional<TypicalTasks> expected) {
        this.expected = expected;
    }

    @Override
    public String name() {
        return "fgd";
    }

    @Override
    public Placement expecting(Supplier<TypicalTasks> tasks) {
        return new Fgd(Optional.of(tasks.get()));
    }

    @Override
    long score(Ledger ledger, int node, TaskGroup group, ResourceVector size) {
        return ledger.fragments(expected).worth(node, group, size).score();
    }

    @Override
    Optional<List<DeviceShare>> devices(Ledger ledger, int node, TaskGroup group, ResourceVector size) {
        int gpu = ledger.fragments(expected).worth(node, group, size).gpu();
        return gpu < 0
                ? ledger.chooseDevices(node, group)
                : Optional.of(
                        List.of(ledger.devices().slice(node, gpu, group.ask().gpuMemoryMiB())));
    }
}
