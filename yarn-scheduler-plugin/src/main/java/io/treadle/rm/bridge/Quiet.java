// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.Resource;

/**
 * Tells whether there is nothing in the cluster for which containers of ordinary applications are checked one by one. So it
 * nearly always is where nobody uses Treadle: to know that first costs a container less than each of the checks. Many threads may
 * ask at the same time.
 *
 * @param hasGangs whether there is any job of ours
 * @param isAnyGoing whether a node is about to be switched off
 * @param knowsDevices whether any node has said which GPUs it has: else nodes choose them themselves
 */
record Quiet(
        BooleanSupplier hasGangs,
        BooleanSupplier isAnyGoing,
        BooleanSupplier knowsDevices,
        GangReservations reservations,
        Refusals refusals) {
    /** Whether every check of {@link NodeOffers} and {@link ProposalGuard} lets a container of this size on any node. */
    boolean isFor(ResourceVector size) {
        return size.storageMBps() == 0 && isFor(() -> size);
    }

    /** The same, where most of the size is not read from YARN's for it. */
    boolean isFor(Resource size) {
        return YarnResources.storageMBps(size) == 0 && isFor(() -> YarnResources.vector(size));
    }

    private boolean isFor(Supplier<ResourceVector> size) {
        return !hasGangs.getAsBoolean()
                && (!knowsDevices.getAsBoolean() || !NodeDevices.needsDevices(size.get()))
                && reservations.isEmpty()
                && refusals.leaveNobodyOut()
                && !isAnyGoing.getAsBoolean();
    }
}
