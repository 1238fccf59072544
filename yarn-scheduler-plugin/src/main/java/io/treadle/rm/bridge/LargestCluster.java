// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.conf.RefusalSettings;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Knows whether the cluster is complete. It is not while nodes still register after a start, a failover or an outage, nor
 * while it is smaller than it was before, as when a rack is in maintenance or machines of a cloud were given back. A job that
 * is too large for such a cluster may fit later. Safe for use by several threads.
 */
public final class LargestCluster {
    private final SchedulerAccess scheduler;
    private final RefusalSettings settings;
    private final BooleanSupplier recovered;
    private final Clock clock;
    /** By partition, the most that its nodes had together since this ResourceManager became active. */
    private final Map<String, ResourceVector> most = new ConcurrentHashMap<>();

    private volatile long joinedMs;

    /** @param recovered whether the ResourceManager knows again what ran before it started */
    public LargestCluster(SchedulerAccess scheduler, RefusalSettings settings, BooleanSupplier recovered, Clock clock) {
        this.scheduler = scheduler;
        this.settings = settings;
        this.recovered = recovered;
        this.clock = clock;
        this.joinedMs = clock.millis();
    }

    /** A node of the partition has registered. Takes constant time. */
    void nodeJoined(String partition) {
        joinedMs = clock.millis();
        see(partition);
    }

    private ResourceVector see(String partition) {
        ResourceVector now = YarnResources.vector(scheduler.partitionResource(partition));
        most.merge(partition, now, ResourceVector::max);
        return now;
    }

    /**
     * Why a job that is too large for the nodes of the partition may fit later; empty where it never will.
     *
     * @param off what nodes have that are switched off and there for the asking
     */
    Optional<String> mayGrow(String partition, ResourceVector off) {
        ResourceVector now = see(partition).plus(off);
        ResourceVector before = most.getOrDefault(partition, ResourceVector.ZERO);
        if (!settings.refuses()) {
            return Optional.of("the cluster may grow (" + RefusalSettings.REFUSE + " is 'false')");
        }
        if (!recovered.getAsBoolean()
                || clock.millis() - joinedMs < settings.settle().toMillis()) {
            return Optional.of("nodes may still register");
        }
        return before.fitsIn(now)
                ? Optional.empty()
                : Optional.of("the cluster had " + before.describe() + " and has " + now.describe() + " now");
    }
}
