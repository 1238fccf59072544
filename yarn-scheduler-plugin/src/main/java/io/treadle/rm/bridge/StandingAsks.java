// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * Tells asks of which nothing is granted from those that are about to be served. What jobs have beyond their asks may be the
 * reason, or may not: that shows when they give it back. So an ask that stands counts for half a minute, and again ten minutes
 * later. Used by the planner thread.
 */
final class StandingAsks {
    /** Many times as long as CapacityScheduler takes for an ask that it can grant. */
    private static final long PATIENCE_MS = 3_000;

    /** Longer than jobs take to give back. */
    private static final long COUNTS_MS = 30_000;

    private static final long AGAIN_MS = 600_000;

    private Map<Ask, Since> before = new HashMap<>();
    private Map<Ask, Since> now = new HashMap<>();

    private record Ask(ApplicationAttemptId attempt, SchedulerRequestKey key) {}

    /**
     * @param count of containers that were waited for when it was last seen
     * @param newest of the application's containers; 0 where it has none
     */
    private record Since(long ms, int count, long newest) {}

    /** What is not asked about again until the next look is forgotten. */
    void lookBegins() {
        before = now;
        now = new HashMap<>();
    }

    /** Whether nothing was granted of the ask for so long that it counts. Asked about once in a look. */
    boolean counts(FiCaSchedulerApp app, SchedulerRequestKey key, int count, long nowMs) {
        long newest = app.getLiveContainersMap().keySet().stream()
                .mapToLong(ContainerId::getContainerId)
                .max()
                .orElse(0);
        return counts(app.getApplicationAttemptId(), key, count, newest, nowMs);
    }

    boolean counts(ApplicationAttemptId attempt, SchedulerRequestKey key, int count, long newest, long nowMs) {
        Ask ask = new Ask(attempt, key);
        Since seen = before.get(ask);
        long since = seen == null || count < seen.count() || newest > seen.newest() ? nowMs : seen.ms();
        now.put(ask, new Since(since, count, newest));
        long waitsMs = (nowMs - since) % AGAIN_MS;
        return nowMs - since >= PATIENCE_MS && waitsMs < PATIENCE_MS + COUNTS_MS;
    }
}
