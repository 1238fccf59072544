// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.resource.ResourceVector;
import java.util.function.ToLongFunction;

/** What jobs outbid each other for, and how it is told. */
enum Dimension {
    VCORES("", "of its vcores", ResourceVector::vcores, ResourceVector::withVcores),
    MEMORY(" MiB", "MiB of its memory", ResourceVector::memoryMiB, ResourceVector::withMemoryMiB),
    STORAGE(" MB/s", "MB/s of its storage bandwidth", ResourceVector::storageMBps, ResourceVector::withStorageMBps);

    private interface With {
        ResourceVector apply(ResourceVector size, long amount);
    }

    private final String unit;
    private final String ofIts;

    @SuppressWarnings("ImmutableEnumChecker") // it is immutable, and does not say so in an annotation
    private final ToLongFunction<ResourceVector> amount;

    @SuppressWarnings("ImmutableEnumChecker")
    private final With with;

    Dimension(String unit, String ofIts, ToLongFunction<ResourceVector> amount, With with) {
        this.unit = unit;
        this.ofIts = ofIts;
        this.amount = amount;
        this.with = with;
    }

    /** What stands behind an amount. */
    String unit() {
        return unit;
    }

    /** What stands behind an amount of somebody's. */
    String ofIts() {
        return ofIts;
    }

    long of(ResourceVector size) {
        return amount.applyAsLong(size);
    }

    ResourceVector with(ResourceVector size, long newAmount) {
        return with.apply(size, newAmount);
    }
}
