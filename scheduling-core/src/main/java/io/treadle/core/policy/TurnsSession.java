// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.plan.Decision;
import io.treadle.core.policy.order.Order;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** Preemption as {@link Preemption#TURNS} says, beside a session in which what runs goes on. */
final class TurnsSession implements Session {
    private record Turn(String jobId, long sinceMs, long endsMs, long started) {}

    private final Order order;
    private final Session steady;
    private final TreeSet<Turn> turns =
            new TreeSet<>(Comparator.comparingLong(Turn::endsMs).thenComparingLong(Turn::started));
    private final Map<String, Turn> byId = new HashMap<>();
    private long started;
    /** When the next decision is due. */
    private long wakesMs = NEVER;

    TurnsSession(Order order, Session steady) {
        this.order = order;
        this.steady = steady;
    }

    @Override
    public void waits(JobView job) {
        steady.waits(job);
    }

    @Override
    public void runs(JobView job) {
        steady.runs(job);
        long sinceMs = job.progress().pace().sinceMs();
        Turn turn = new Turn(job.id(), sinceMs, order.turnEndsMs(job, sinceMs), started++);
        forget(job.id());
        if (turn.endsMs() < NEVER) {
            byId.put(job.id(), turn);
            turns.add(turn);
        }
    }

    @Override
    public void ended(String jobId) {
        steady.ended(jobId);
        forget(jobId);
    }

    @Override
    public void nodeOpens(String nodeId, boolean isOpen) {
        steady.nodeOpens(nodeId, isOpen);
    }

    /** Stops come alone: what stops is to wait before anything starts. */
    @Override
    public List<Decision> decide(long nowMs) {
        List<Decision> stops = new ArrayList<>();
        while (!turns.isEmpty() && turns.first().endsMs() <= nowMs) {
            Turn over = Objects.requireNonNull(turns.pollFirst());
            byId.remove(over.jobId());
            steady.ended(over.jobId());
            stops.add(new Decision.Stop(over.jobId(), new Reason.TurnOver((over.endsMs() - over.sinceMs()) / 1000)));
        }
        wakesMs = stops.isEmpty() ? NEVER : nowMs;
        return stops.isEmpty() ? steady.decide(nowMs) : stops;
    }

    @Override
    public long wakesMs() {
        return turns.isEmpty() ? wakesMs : Math.min(wakesMs, turns.first().endsMs());
    }

    private void forget(String jobId) {
        Turn turn = byId.remove(jobId);
        if (turn != null) {
            turns.remove(turn);
        }
    }
}
