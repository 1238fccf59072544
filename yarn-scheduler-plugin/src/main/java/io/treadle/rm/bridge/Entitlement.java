// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * What a queue may hold for good where YARN's preemption takes back what queues have borrowed: what it is guaranteed, and its
 * part of what others neither hold by right nor ask for. YARN's preemption comes to the same: it leaves a queue alone that
 * holds no more.
 */
final class Entitlement {
    private Entitlement() {}

    /** Empty where nothing is taken back: preemption is off, for the cluster or for this queue. */
    static Optional<ResourceVector> of(CSQueue queue, String partition) {
        return queue.getPreemptionDisabled() ? Optional.empty() : Optional.of(amounts(queue, partition));
    }

    private static ResourceVector amounts(CSQueue queue, String partition) {
        ResourceVector maximum = QueueLimits.maximum(queue, partition);
        CSQueue parent = queue.getParent();
        if (parent == null) {
            return maximum;
        }
        List<Held> siblings = new ArrayList<>();
        for (CSQueue child : parent.getChildQueues()) {
            // A queue that has gone and come again is another object.
            if (!child.getQueuePath().equals(queue.getQueuePath())) {
                siblings.add(Held.of(child, partition));
            }
        }
        ResourceVector guarantee = QueueLimits.guarantee(queue, partition);
        siblings.add(new Held(guarantee, guarantee, maximum));
        ResourceVector all = amounts(parent, partition);
        return new ResourceVector(
                part(all, siblings, ResourceVector::gpus),
                part(all, siblings, ResourceVector::vcores),
                part(all, siblings, ResourceVector::memoryMiB),
                part(all, siblings, ResourceVector::gpuMemoryMiB),
                part(all, siblings, ResourceVector::storageMBps),
                part(all, siblings, ResourceVector::watts));
    }

    /** Of the last of these queues. */
    private static long part(ResourceVector all, List<Held> queues, ToLongFunction<ResourceVector> resource) {
        List<Claim> claims = queues.stream().map(queue -> queue.claim(resource)).toList();
        return Claim.part(resource.applyAsLong(all), claims, claims.size() - 1);
    }

    /** The claims of a queue on all resources. */
    private record Held(ResourceVector guarantee, ResourceVector sure, ResourceVector wanted) {
        static Held of(CSQueue queue, String partition) {
            ResourceVector used = QueueLimits.used(queue, partition);
            ResourceVector guarantee = QueueLimits.guarantee(queue, partition);
            ResourceVector pending =
                    YarnResources.vector(queue.getQueueResourceUsage().getPending(partition));
            ResourceVector wanted = used.plus(pending)
                    .min(QueueLimits.maximum(queue, partition))
                    .max(used);
            // From whom nothing is taken back, keeps what it holds.
            return new Held(guarantee, queue.getPreemptionDisabled() ? guarantee.max(used) : guarantee, wanted);
        }

        Claim claim(ToLongFunction<ResourceVector> resource) {
            return new Claim(resource.applyAsLong(guarantee), resource.applyAsLong(sure), resource.applyAsLong(wanted));
        }
    }
}
