// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.NodeCaps;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Tells nodes the caps of their GPUs: at once when they change, and again long before the lease ends that a node holds them
 * on. Used by the planner thread.
 */
public final class CapsSender {
    /** Told again after this part of the lease: two may be lost. */
    private static final int RENEWALS = 3;

    private record Told(NodeCaps caps, long atMs) {}

    private final long leaseMs;
    private final BiConsumer<String, NodeCaps> writer;
    private final Map<String, Told> told = new HashMap<>();

    /** @param writer takes a node and what it is told; must not block */
    public CapsSender(Duration lease, BiConsumer<String, NodeCaps> writer) {
        this.leaseMs = lease.toMillis();
        this.writer = writer;
    }

    /**
     * @param wanted caps by node and by UUID, W; a node that is not in it keeps what it was told until its lease ends
     * @param nowMs ms since the epoch: epochs must grow over restarts too
     */
    public void send(Map<String, Map<String, Double>> wanted, long nowMs) {
        wanted.forEach((node, caps) -> send(node, caps, nowMs));
        told.keySet().retainAll(wanted.keySet());
    }

    /** Whether a node was told of a cap at last. */
    public boolean isTelling() {
        return told.values().stream().anyMatch(last -> !last.caps().caps().isEmpty());
    }

    private void send(String node, Map<String, Double> caps, long nowMs) {
        Told before = told.get(node);
        boolean changed = !caps.equals(before == null ? Map.of() : before.caps().caps());
        boolean isDue = before != null && !caps.isEmpty() && nowMs - before.atMs() >= leaseMs / RENEWALS;
        if (changed || isDue) {
            long epoch = Math.max(nowMs, before == null ? 0 : before.caps().epoch() + 1);
            Told now = new Told(new NodeCaps(epoch, leaseMs, caps), nowMs);
            told.put(node, now);
            writer.accept(node, now.caps());
        }
    }
}
