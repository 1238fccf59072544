// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Profiles of energy by job, fitted anew only when something that they go by has changed. Used by the planner thread. */
final class LiveEnergies {
    private static final Logger LOG = LoggerFactory.getLogger(LiveEnergies.class);

    private record By(List<EnergyPoint> points, List<TaskGroup> groups, PowerSight.Gpus gpus) {}

    private record Fitted(By by, Optional<LiveEnergy> energy) {}

    private Map<String, Fitted> before = new HashMap<>();
    private Map<String, Fitted> now = new HashMap<>();

    /** Forgets jobs that the last round has not asked for. */
    void roundBegins() {
        before = now;
        now = new HashMap<>();
    }

    Optional<LiveEnergy> of(String job, ProfileRecord known, List<TaskGroup> groups, Optional<PowerSight.Gpus> gpus) {
        if (gpus.isEmpty()) {
            return Optional.empty();
        }
        By by = new By(known.energy(), groups, gpus.get());
        Fitted last = before.get(job);
        Fitted fitted =
                last != null && last.by().equals(by) ? last : new Fitted(by, fit(job, known, groups, gpus.get()));
        now.put(job, fitted);
        return fitted.energy();
    }

    /** What an ApplicationMaster says may be anything: it must not hold up the other jobs of the queue. */
    private static Optional<LiveEnergy> fit(
            String job, ProfileRecord known, List<TaskGroup> groups, PowerSight.Gpus gpus) {
        try {
            return LiveEnergy.of(known, groups, gpus);
        } catch (RuntimeException e) {
            LOG.warn("The energy profile of {} cannot be used, the job counts as unknown: {}", job, e.toString());
            return Optional.empty();
        }
    }
}
