// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

import io.treadle.core.query.Adjustment;
import io.treadle.core.query.Adjustment.Rule;
import io.treadle.core.query.Eviction;
import io.treadle.core.query.Prefetcher;
import io.treadle.core.query.QueueOrder;
import io.treadle.simulator.query.engine.QuerySettings;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A policy with its settings.
 *
 * @param name for people
 * @param policy its name
 * @param change of our usual settings
 */
record Variant(String name, String policy, UnaryOperator<QuerySettings> change) {
    static final Variant OURS = new Variant("compass", "compass", settings -> settings);
    static final Variant PUBLISHED = new Variant("compass as published", "compass", Variant::published);
    static final Variant JIT = new Variant("jit", "jit", settings -> settings);
    static final Variant HEFT = new Variant("heft", "heft", settings -> settings);
    static final Variant HASH = new Variant("hash", "hash", settings -> settings);

    /** In the order in which tables have them. */
    static final List<Variant> COMPARED = List.of(OURS, PUBLISHED, JIT, HEFT, HASH);

    /** What each part of it is worth. */
    static final List<Variant> ABLATIONS = List.of(
            OURS,
            ours("queues first come, first served", Variant::fifo),
            ours("adjusts by load, as published", settings -> settings.adjusting(Adjustment.PUBLISHED)),
            PUBLISHED,
            ours("never adjusts", settings -> settings.adjusting(new Adjustment(Rule.NONE, 0))),
            ours(
                    "does not know which models workers hold",
                    settings -> settings.caching(false, Eviction.LOOK_AHEAD, Prefetcher.USUAL)),
            ours("drops the least recently used", settings -> settings.caching(true, Eviction.LRU, Prefetcher.USUAL)),
            ours("drops what came first", settings -> settings.caching(true, Eviction.FIFO, Prefetcher.USUAL)),
            ours("fetches nothing ahead", settings -> settings.caching(true, Eviction.LOOK_AHEAD, Prefetcher.NONE)),
            JIT,
            new Variant(
                    "jit, least left first", "jit", settings -> settings.ordered(Optional.of(QueueOrder.LEAST_LEFT))),
            new Variant(
                    "hash, least left first",
                    "hash",
                    settings -> settings.ordered(Optional.of(QueueOrder.LEAST_LEFT))));

    private static Variant ours(String name, UnaryOperator<QuerySettings> change) {
        return new Variant("compass, but " + name, "compass", change);
    }

    /** With another staleness of what workers know of each other. */
    static Variant stale(double ms) {
        return new Variant("compass", "compass", settings -> settings.stale(ms));
    }

    private static QuerySettings fifo(QuerySettings settings) {
        return settings.ordered(Optional.of(QueueOrder.FIFO));
    }

    private static QuerySettings published(QuerySettings settings) {
        return fifo(settings).adjusting(Adjustment.PUBLISHED);
    }

    QuerySettings settings(int workers) {
        return change.apply(QuerySettings.usual(workers));
    }
}
