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
    private final Map<String, Spell> spells = new ConcurrentHashMap<>();
    /** By job that is measured and container, the most vcores that were seen of it. */
    private final Map<String, Map<String, Long>> held = new ConcurrentHashMap<>();

    /**
     * A time of being measured.
     *
     * @param readyMs since when the job has said again that it is not measured; {@link Long#MAX_VALUE} while it is
     */
    private record Spell(long sinceMs, long readyMs) {}

    /** @param most how long a job may be measured, over all its attempts; after as long without it may be again */
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
        long nowMs = clock.millis();
        if (!says) {
            held.remove(applicationId);
            spells.computeIfPresent(
                    applicationId, (id, spell) -> new Spell(spell.sinceMs(), Math.min(spell.readyMs(), nowMs)));
            return false;
        }
        return !hasTasks || nowMs - spell(applicationId, nowMs).sinceMs() <= most.toMillis();
    }

    private Spell spell(String applicationId, long nowMs) {
        return spells.compute(applicationId, (id, spell) -> {
            boolean rested =
                    spell != null && spell.readyMs() != Long.MAX_VALUE && nowMs - spell.readyMs() >= most.toMillis();
            return spell == null || rested
                    ? new Spell(nowMs, Long.MAX_VALUE)
                    : new Spell(spell.sinceMs(), Long.MAX_VALUE);
        });
    }

    /**
     * The most vcores that a container has had, as far as anybody looked, since its job is measured.
     *
     * @param vcores what it has now
     */
    public long mostHeld(String applicationId, String containerId, long vcores) {
        return held.computeIfAbsent(applicationId, id -> new ConcurrentHashMap<>())
                .merge(containerId, vcores, Math::max);
    }

    /** The job is gone. */
    public void forget(String applicationId) {
        held.remove(applicationId);
        spells.remove(applicationId);
    }
}
