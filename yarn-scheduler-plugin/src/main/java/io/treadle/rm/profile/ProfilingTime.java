// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.ProfileRecord;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which jobs are measured by their ApplicationMasters now, which resize them meanwhile. A record is its job's own word:
 * one that says {@code profiling} for ever would keep what it has taken from the others, so its time is limited here.
 */
public final class ProfilingTime {
    private final Telemetry telemetry;
    private final Duration most;
    private final Clock clock;
    private final Map<String, Long> sinceMs = new ConcurrentHashMap<>();

    /** @param most how long a job may be measured, over all its attempts */
    public ProfilingTime(Telemetry telemetry, Duration most, Clock clock) {
        this.telemetry = telemetry;
        this.most = most;
        this.clock = clock;
    }

    /** Whether the job's ApplicationMaster may resize it now. Its time begins when it is first asked for with tasks. */
    public boolean isMeasured(String applicationId, boolean hasTasks) {
        boolean says = telemetry
                .profile(applicationId)
                .map(record -> record.phase() == ProfileRecord.Phase.PROFILING)
                .orElse(false);
        if (!says || !hasTasks) {
            return says;
        }
        long nowMs = clock.millis();
        return nowMs - sinceMs.computeIfAbsent(applicationId, id -> nowMs) <= most.toMillis();
    }

    /** The job is gone. */
    public void forget(String applicationId) {
        sinceMs.remove(applicationId);
    }
}
