// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves an application out on a node for a while once its proposals there have been refused several times. It is the last
 * defence: {@link NodeOffers} knows the reasons for refusals beforehand. A reason that it does not know would otherwise
 * come back at each visit of the node, and nobody else would be served there. Threads may use it at the same time.
 */
public final class Refusals {
    /**
     * A reason may go as it came. Proposals that met others on their way, which asynchronous scheduling makes in any number, do not
     * count at all.
     */
    static final int FREE = 3;

    static final long FIRST_MS = 1_000;
    static final long MOST_MS = 60_000;
    /** After so long without a refusal an application starts with a clean record. */
    private static final long FORGOTTEN_MS = 5 * MOST_MS;

    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    private record Entry(int refusals, long lastMs, long untilMs) {}

    private final Map<ApplicationId, Map<NodeId, Entry>> applications = new ConcurrentHashMap<>();
    /** When the last of all pauses ends. */
    private final AtomicLong untilMs = new AtomicLong(Long.MIN_VALUE);

    private final LongSupplier clockMs;
    private final Runnable onLeftOut;

    /**
     * @param clockMs time that only grows, ms
     * @param onLeftOut called each time that an application is left out on a node
     */
    public Refusals(LongSupplier clockMs, Runnable onLeftOut) {
        this.clockMs = clockMs;
        this.onLeftOut = onLeftOut;
    }

    /** A proposal was refused. Proposals that were on their way when the application was left out count no more. */
    void refused(ApplicationId id, NodeId node, String why) {
        long nowMs = clockMs.getAsLong();
        Map<NodeId, Entry> nodes = applications.computeIfAbsent(id, i -> new ConcurrentHashMap<>());
        boolean isFirst = nodes.values().stream().noneMatch(e -> e.refusals() >= FREE);
        nodes.compute(node, (n, before) -> {
            if (before != null && nowMs < before.untilMs()) {
                return before;
            }
            int count = before == null || nowMs - before.lastMs() > FORGOTTEN_MS ? 1 : before.refusals() + 1;
            if (count < FREE) {
                return new Entry(count, nowMs, nowMs);
            }
            onLeftOut.run();
            if (isFirst) {
                LOG.warn(
                        "Application {} is left out on node {} for {} ms and longer each time: {} containers for it"
                                + " were refused there, the last because {}. Further nodes and times are logged at"
                                + " DEBUG.\n"
                                + "Maybe the application asks for resources in a way that this cluster cannot serve.",
                        id,
                        node,
                        pauseMs(count),
                        count,
                        why);
            } else {
                LOG.debug("Application {} is left out on node {} for {} ms: {}", id, node, pauseMs(count), why);
            }
            untilMs.accumulateAndGet(nowMs + pauseMs(count), Math::max);
            return new Entry(count, nowMs, nowMs + pauseMs(count));
        });
    }

    private static long pauseMs(int refusals) {
        return Math.min(MOST_MS, FIRST_MS << Math.min(refusals - FREE, 10));
    }

    /** Whether no application is left out on any node now. */
    boolean leaveNobodyOut() {
        return applications.isEmpty() || clockMs.getAsLong() >= untilMs.get();
    }

    boolean isLeftOut(ApplicationId id, NodeId node) {
        if (leaveNobodyOut()) {
            return false;
        }
        Map<NodeId, Entry> nodes = applications.get(id);
        Entry entry = nodes == null ? null : nodes.get(node);
        return entry != null && clockMs.getAsLong() < entry.untilMs();
    }

    /** The application is gone. */
    public void forget(ApplicationId id) {
        applications.remove(id);
    }

    /** The node is gone. */
    public void forget(NodeId node) {
        applications.values().forEach(nodes -> nodes.remove(node));
    }
}
