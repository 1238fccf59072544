// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import com.google.common.hash.Hashing;
import io.treadle.simulator.cluster.FailureRate;
import io.treadle.simulator.cluster.Outage;
import io.treadle.simulator.cluster.Outages;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * When nodes close, go down and come back, in order of time. Failures that are drawn have a stream of their own for each
 * node, from the seed and its name: another node in the cluster changes none of them.
 */
final class NodeChanges {
    enum Kind {
        /** Nothing new starts there. */
        CLOSES,
        GOES_DOWN,
        COMES_UP,
        OPENS
    }

    record Change(String node, Kind kind) {}

    /**
     * @param closed by how much the reasons change for which the node is closed
     * @param down by how much those change for which it is down
     */
    private record Step(long atMs, long order, String node, int closed, int down, @Nullable Stream stream) {}

    /** Failures of one node as they are drawn. */
    private static final class Stream {
        private final FailureRate rate;
        private final SplittableRandom random;

        Stream(FailureRate rate, SplittableRandom random) {
            this.rate = rate;
            this.random = random;
        }

        long ms(boolean isUp) {
            double mean = isUp ? rate.meanUpMs() : rate.meanDownMs();
            return Math.max(1, Math.round(-mean * Math.log(1 - random.nextDouble())));
        }
    }

    private final PriorityQueue<Step> steps =
            new PriorityQueue<>(Comparator.comparingLong(Step::atMs).thenComparingLong(Step::order));
    private final Map<String, Integer> closed = new HashMap<>();
    private final Map<String, Integer> down = new HashMap<>();
    private long ordered;

    NodeChanges(Outages outages) {
        for (Outage outage : outages.told()) {
            add(outage.closedMs(), outage.node(), 1, 0, null);
            add(outage.downMs(), outage.node(), 0, 1, null);
            if (outage.upMs() != Outage.NEVER) {
                add(outage.upMs(), outage.node(), -1, -1, null);
            }
        }
        // In the order of names: a map's own is not the same everywhere.
        new TreeMap<>(outages.rates()).forEach((node, rate) -> {
            Stream stream = new Stream(rate, new SplittableRandom(seed(outages.seed(), node)));
            add(stream.ms(true), node, 1, 1, stream);
        });
    }

    private static long seed(long seed, String node) {
        return Hashing.sha256()
                .newHasher()
                .putLong(seed)
                .putString(node, StandardCharsets.UTF_8)
                .hash()
                .asLong();
    }

    private void add(long atMs, String node, int closedBy, int downBy, @Nullable Stream stream) {
        steps.add(new Step(atMs, ordered++, node, closedBy, downBy, stream));
    }

    /** When the next one is; {@link Long#MAX_VALUE} where there is none any more. */
    long nextMs() {
        return steps.isEmpty() ? Long.MAX_VALUE : steps.peek().atMs();
    }

    /** Those up to this moment that were not given yet. */
    List<Change> until(long nowMs) {
        List<Change> changes = new ArrayList<>();
        while (!steps.isEmpty() && steps.peek().atMs() <= nowMs) {
            Step step = steps.remove();
            boolean wasClosed = isIn(closed, step.node());
            boolean wasDown = isIn(down, step.node());
            closed.merge(step.node(), step.closed(), Integer::sum);
            down.merge(step.node(), step.down(), Integer::sum);
            changed(step.node(), wasClosed, isIn(closed, step.node()), Kind.CLOSES, changes);
            changed(step.node(), wasDown, isIn(down, step.node()), Kind.GOES_DOWN, changes);
            changed(step.node(), !wasDown, !isIn(down, step.node()), Kind.COMES_UP, changes);
            changed(step.node(), !wasClosed, !isIn(closed, step.node()), Kind.OPENS, changes);
            if (step.stream() != null) {
                boolean isUp = step.down() < 0;
                int next = isUp ? 1 : -1;
                add(step.atMs() + step.stream().ms(isUp), step.node(), next, next, step.stream());
            }
        }
        return changes;
    }

    private static boolean isIn(Map<String, Integer> reasons, String node) {
        return reasons.getOrDefault(node, 0) > 0;
    }

    private static void changed(String node, boolean before, boolean now, Kind kind, List<Change> changes) {
        if (!before && now) {
            changes.add(new Change(node, kind));
        }
    }
}
