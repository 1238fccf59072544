// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.JobView;
import io.treadle.core.placement.Ledger;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;

/** Sizes of running tasks as they change on their nodes. */
final class InPlace {
    private final Ledger ledger;

    InPlace(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * What a task that is charged would get of this size, and of what it asks for at least.
     *
     * @param isCut whether it takes what there is; otherwise all or nothing
     */
    Optional<ResourceVector> size(JobView job, Grant.Task task, ResourceVector wanted, boolean isCut) {
        // Devices cannot change while a task runs, so neither may its GPUs.
        ResourceVector size =
                wanted.max(task.group().ask()).withGpus(task.size().gpus());
        if (size.equals(task.size())) {
            return Optional.of(size);
        }
        ResourceVector room = ledger.room(job.id(), task.node(), size, task.size())
                .plus(task.size())
                .max(task.size());
        if (isCut) {
            return Optional.of(size.min(room));
        }
        return size.fitsIn(room) ? Optional.of(size) : Optional.empty();
    }

    /** The task with this size charged in place of its own; its devices stay. */
    Grant.Task recharge(JobView job, Grant.Task task, ResourceVector size) {
        if (size.equals(task.size())) {
            return task;
        }
        ledger.take(job.id(), task.node(), size.minus(task.size()), List.of());
        return task.withSize(size);
    }
}
