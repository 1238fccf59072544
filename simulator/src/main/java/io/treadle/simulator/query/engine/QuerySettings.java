// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

import static com.google.common.base.Preconditions.checkArgument;

import io.treadle.core.query.Adjustment;
import io.treadle.core.query.DelayModel;
import io.treadle.core.query.Eviction;
import io.treadle.core.query.Prefetcher;
import io.treadle.core.query.PublishedDelays;
import io.treadle.core.query.QueueOrder;
import java.util.Optional;

/**
 * How a run goes, whatever the policy.
 *
 * @param workers how many, each with one GPU
 * @param gpuMemoryKb of each, for models, kB
 * @param stalenessMs how often workers tell each other how they are; 0 where each always knows of all
 * @param adjustment of Compass
 * @param cacheAware whether policies know which models workers hold; an ablation where not
 * @param order of the tasks that wait on a worker; where it is not given, that of the policy
 */
public record QuerySettings(
        int workers,
        double gpuMemoryKb,
        DelayModel delays,
        double stalenessMs,
        Adjustment adjustment,
        boolean cacheAware,
        Eviction eviction,
        Prefetcher prefetcher,
        Optional<QueueOrder> order) {
    /** About what a T4 leaves of its 16 GB: so much have the workers of Compass' authors. */
    public static final double GPU_MEMORY_KB = 14e6;

    public static final double STALENESS_MS = 10;
    public static final double THRESHOLD = 1.5;

    public QuerySettings {
        checkArgument(workers >= 1, "workers: %s, must be 1 or more", workers);
        checkArgument(
                stalenessMs >= 0 && Double.isFinite(stalenessMs),
                "staleness is %s ms, must be a finite number of 0 or more",
                stalenessMs);
    }

    /** What Compass does as it was published, without rules of ours. */
    public static QuerySettings published(int workers) {
        return new QuerySettings(
                workers,
                GPU_MEMORY_KB,
                new PublishedDelays(),
                STALENESS_MS,
                Adjustment.PUBLISHED,
                true,
                Eviction.LOOK_AHEAD,
                Prefetcher.USUAL,
                Optional.of(QueueOrder.FIFO));
    }

    /** With our rules. */
    public static QuerySettings usual(int workers) {
        return published(workers)
                .adjusting(new Adjustment(Adjustment.Rule.GAIN, THRESHOLD))
                .ordered(Optional.empty());
    }

    public QuerySettings adjusting(Adjustment other) {
        return new QuerySettings(
                workers, gpuMemoryKb, delays, stalenessMs, other, cacheAware, eviction, prefetcher, order);
    }

    public QuerySettings ordered(Optional<QueueOrder> other) {
        return new QuerySettings(
                workers, gpuMemoryKb, delays, stalenessMs, adjustment, cacheAware, eviction, prefetcher, other);
    }

    public QuerySettings stale(double ms) {
        return new QuerySettings(workers, gpuMemoryKb, delays, ms, adjustment, cacheAware, eviction, prefetcher, order);
    }

    public QuerySettings caching(boolean aware, Eviction evicts, Prefetcher fetches) {
        return new QuerySettings(workers, gpuMemoryKb, delays, stalenessMs, adjustment, aware, evicts, fetches, order);
    }

    /** Of a policy: queries that have least left go first under Compass, the others know nothing of it. */
    QueueOrder order(String policy) {
        return order.orElse(policy.equals("compass") ? QueueOrder.LEAST_LEFT : QueueOrder.FIFO);
    }
}
